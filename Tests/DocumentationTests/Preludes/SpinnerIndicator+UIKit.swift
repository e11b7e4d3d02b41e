let navigationItem = UIViewController().navigationItem
