"""What stands in paths and configurations, and how the documents print it."""

NO_EVIDENCE = ("toy", "smoke")  # scales that prove nothing
VALIDATIONS = {"holdout": "hold-out", "kfold": "5-fold"}


def printed(method):
    """Label of a method as the documents print it: gp_sel_r -> gp-sel-r."""
    return method.replace("_", "-")


def method(label):
    """The method that a document prints as `label`: gp-sel-r -> gp_sel_r."""
    return label.replace("-", "_")


def validation_name(protocol):
    """The validation of a protocol: kfold_sel_r -> kfold."""
    return protocol.partition("_")[0]
