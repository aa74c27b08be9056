"""The nine learners of the combined choice of a learner and its hyperparameters (thesis, table 5.1)."""

from dataclasses import dataclass

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.errors import UserError
from bayes_hpo.learners.classifier import Classifier
from bayes_hpo.learners.quadratic import Quadratic
from bayes_hpo.learners.rbf_svm import RbfSvm


@dataclass(frozen=True)
class Cash:
    """Configurations hold `learner`, a name of the table below, and its hyperparameters as NAME_hyperparameter.

    svm_max_iter caps the iterations of svm per binary problem; the others have scikit-learn's cap or none. linsvm_dual:
    which problem the solver of linsvm works on, the dual (true), the primal (false) or the one that scikit-learn
    chooses by the shape of the data (auto). adab: a learner, one of `adaboost` (D5.8).
    Raises: UserError for a cap below 1 and for any other value of linsvm_dual.
    """

    svm_max_iter: int
    linsvm_dual: bool | str
    adab: object

    def __post_init__(self):
        RbfSvm(self.svm_max_iter)  # says what is wrong with the cap before any search
        if self.linsvm_dual not in (True, False, "auto"):
            raise UserError(f"linsvm_dual={self.linsvm_dual} must be true, false or auto")

    @property
    def learners(self):
        """The table: dict, name -> learner."""
        return {
            "knn": Classifier(KNeighborsClassifier),
            "svm": RbfSvm(self.svm_max_iter),
            "linsvm": Classifier(LinearSVC, {"dual": self.linsvm_dual}),
            "dt": Classifier(DecisionTreeClassifier),
            "rf": Classifier(RandomForestClassifier),
            "adab": self.adab,
            "gnb": Classifier(GaussianNB),
            "lda": Classifier(LinearDiscriminantAnalysis),
            "qda": Quadratic(),
        }

    def fit(self, configuration, X, y, rng):
        """Return the Chosen learner's model, trained on X (n, p), y (n,); rng is for learners that draw.

        Raises: UserError for a name that is not in the table, and what the learner raises.
        """
        name = configuration["learner"]
        if name not in self.learners:
            raise UserError(f"learner={name} is not one of {', '.join(self.learners)}")
        learner, prefix = self.learners[name], f"{name}_"
        own = {key.removeprefix(prefix): value for key, value in configuration.items() if key.startswith(prefix)}
        return Chosen(learner, learner.fit(own, X, y, rng))

    def unconverged(self, chosen):
        """1 when the chosen learner's solver met its iteration cap, else 0."""
        return chosen.learner.unconverged(chosen.model)


@dataclass(frozen=True)
class Chosen:
    """A model and the learner that trained it."""

    learner: object
    model: object

    def predict(self, X):
        """Class of each row of X (n, p)."""
        return self.model.predict(X)
