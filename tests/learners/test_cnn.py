"""Laws of the convolutional network: a reference, seeds, hyperparameters, divergence, the scale of the pixels."""

import builtins

import numpy as np
import pytest
from sklearn.datasets import load_digits

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError
from bayes_hpo.learners import cnn
from bayes_hpo.learners.cnn import Cnn, Network, Pixels, image_shape, pooled

REFERENCE = {
    **{"learning_rate": 0.01, "conv1_cost": 0.004, "conv2_cost": 0.004, "conv3_cost": 0.004, "softmax_cost": 0.01},
    **{"norm_size": 3, "norm_scale": 5e-5, "norm_power": 0.75},
}
OTHER = {
    **{"learning_rate": 0.02, "conv1_cost": 0.4, "conv2_cost": 0.4, "conv3_cost": 0.4, "softmax_cost": 1.0},
    **{"norm_size": 4, "norm_scale": 5e-3, "norm_power": 1.5},
}
X, Y = load_digits(return_X_y=True)
X, Y = X[:100], Y[:100]


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="the extra cnn is not installed")


def learner(epochs=2, batch=20):
    return Cnn(epochs=epochs, batch=batch, momentum=0.9, drops=[0.96, 0.98])


def fitted(configuration=REFERENCE, seed=0, **settings):
    return learner(**settings).fit(configuration, X, Y, np.random.default_rng(seed))


def weights(model):
    return np.concatenate([tensor.detach().numpy().ravel() for layer in model.network.weights for tensor in layer])


@pytest.mark.slow
def test_it_overfits_a_hundred_digits(torch):
    model = fitted(epochs=60)
    assert (model.predict(X) == Y).mean() > 0.97
    assert learner().unconverged(model) == 0


def test_equal_seeds_give_equal_weights_and_others_others(torch):
    np.testing.assert_array_equal(weights(fitted()), weights(fitted()))
    assert (weights(fitted()) != weights(fitted(seed=1))).mean() > 0.9


@pytest.mark.parametrize("name", REFERENCE)
def test_each_hyperparameter_changes_the_model(torch, name):
    assert (weights(fitted(REFERENCE | {name: OTHER[name]})) != weights(fitted())).any()


def test_a_configuration_that_diverges_is_an_error_of_the_learner(torch):
    with pytest.raises(ValueError, match=r"^the weights diverge in epoch \d+$"):
        fitted(REFERENCE | {"learning_rate": 0.1, "softmax_cost": 100.0, "norm_power": 0.05}, epochs=60)


def test_probabilities_sum_to_one_and_the_most_probable_class_is_predicted(torch):
    model = fitted()
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), model.predict(X))


def test_without_pytorch_one_sentence_names_the_extra(monkeypatch):
    def absent(name, *others, **more):
        if name == "torch":
            raise ImportError(name)
        return imported(name, *others, **more)

    imported = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(UserError, match=r"PyTorch, which is not installed: pip install -e \.\[cnn\]$"):
        fitted()


def _normalized(maps, size, scale, power):
    """Response normalization of maps (n, channels, side, side), pixel by pixel."""
    result, side = np.empty_like(maps), maps.shape[-1]
    for i in range(side):
        for j in range(side):
            rows, columns = (slice(max(0, k - size // 2), k - size // 2 + size) for k in (i, j))
            squares = (maps[:, :, rows, columns] ** 2).sum(axis=(2, 3))
            result[:, :, i, j] = maps[:, :, i, j] / (1 + scale / size**2 * squares) ** power
    return result


@pytest.mark.parametrize("size", [2, 3, 8, 9])
def test_the_normalization_is_that_of_the_formula(torch, size):
    maps = np.random.default_rng(0).normal(scale=50, size=(2, 3, 5, 5))
    ours = Network([], size, 0.02, 0.75).normalized(torch.as_tensor(maps)).numpy()
    np.testing.assert_allclose(ours, _normalized(maps, size, 0.02, 0.75))


def test_the_network_has_the_sizes_of_cuda_convnet(torch):
    draws = torch.Generator().manual_seed(0)
    network = Network.drawn((3, 32, 32), 10, REFERENCE, draws, "cpu")
    shapes = [tuple(weight.shape) for weight, _ in network.weights]
    assert shapes == [(32, 3, 5, 5), (32, 32, 5, 5), (64, 32, 5, 5), (10, 64 * 4 * 4)]
    assert network.scores(torch.zeros(2, 3, 32, 32)).shape == (2, 10)
    deviations = [float(weight.detach().std()) for weight, _ in network.weights]
    np.testing.assert_allclose(deviations, [1e-4, 1e-2, 1e-2, 1e-2], rtol=0.05)
    assert [pooled(side) for side in (32, 16, 8, 4, 2, 1)] == [16, 8, 4, 2, 1, 1]


def test_biases_learn_at_twice_the_rate_and_have_no_cost(torch):
    network = Network.drawn((1, 8, 8), 10, REFERENCE, torch.Generator(), "cpu")
    groups = network.groups(REFERENCE)
    assert [group["lr"] for group in groups] == [0.01, 0.02] * 4
    assert [group["weight_decay"] for group in groups] == [0.004, 0, 0.004, 0, 0.004, 0, 0.01, 0]


def test_the_rate_falls_twice_at_the_end():
    factors = [learner(epochs=250).factor(epoch) for epoch in (0, 239, 240, 244, 245, 249)]
    np.testing.assert_allclose(factors, [1, 1, 0.1, 0.1, 0.01, 0.01])


def test_pixels_of_the_whole_range_lose_the_mean_image_and_nothing_else(torch):
    images = np.random.default_rng(0).integers(0, 256, (50, 12), dtype=np.uint8)
    images[:2] = [[0], [255]]
    ours = Pixels.of(images).images(images, "cpu").numpy().reshape(50, 12)
    np.testing.assert_allclose(ours, images - images.mean(axis=0), atol=1e-3)


def test_another_scale_and_a_constant_pixel_give_the_same_images(torch):
    first = Pixels.of(X).images(X, "cpu").numpy()
    np.testing.assert_allclose(Pixels.of(3 * X - 7).images(3 * X - 7, "cpu").numpy(), first, atol=1e-3)
    assert not first.reshape(100, -1)[:, np.ptp(X, axis=0) == 0].any()


@pytest.mark.parametrize(("p", "shape"), [(3072, (3, 32, 32)), (64, (1, 8, 8)), (12, (3, 2, 2)), (4, (1, 2, 2))])
def test_an_image_is_square_in_colour_or_grey(p, shape):
    assert image_shape(p) == shape


def test_features_that_are_no_image_are_named():
    with pytest.raises(ValueError, match=r"^13 features are not the pixels of a square image of 1 or 3 channels$"):
        image_shape(13)


def test_the_default_of_the_space_is_the_reference_configuration():
    space = build(configure("plan", ["study=cifar", "scale=paper"])["study"]["space"], "space")
    default = space.default()
    assert default == pytest.approx(REFERENCE | {"learning_rate": 0.001, "softmax_cost": 1.0})
    assert len(space) == 8
    for name, parameter in zip(default, space.encode([default])[0], strict=True):
        if name not in ("norm_size", "norm_power"):
            assert parameter == pytest.approx(0.5)  # two decades on both sides
    assert set(cnn.COSTS) < set(default)
