public import AppSeam
public import BabSim

/// What an app is told before it runs.
public typealias AppConfiguration = BabConfiguration
