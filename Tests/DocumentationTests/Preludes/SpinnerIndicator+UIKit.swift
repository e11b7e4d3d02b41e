let controller = UIViewController()
let (view, navigationItem) = (controller.view!, controller.navigationItem)
