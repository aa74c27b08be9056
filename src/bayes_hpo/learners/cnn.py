"""The convolutional network of cuda-convnet's layers-18pct.cfg in PyTorch (thesis, 4.4.3; uai2016, 4.3; D32)."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt, Range
from bayes_hpo.errors import UserError

FILTERS = (32, 32, 64)  # number of filters of each convolution
WIDTH, POOLED, STRIDE = 5, 3, 2  # width of filters, width and stride of pooling windows, pixels
DEVIATIONS = (1e-4, 1e-2, 1e-2, 1e-2)  # standard deviation of each layer's initial weights; initial biases are 0
BIAS_RATE = 2  # learning rate of the biases, relative to that of the weights
BRIGHTEST = 255  # largest value of a pixel
COSTS = ("conv1_cost", "conv2_cost", "conv3_cost", "softmax_cost")  # hyperparameters, one per layer
Share = Annotated[float, Range(ge=0, le=1)]


@dataclass(frozen=True, kw_only=True)
class Cnn:
    """Configurations contain learning_rate, the weight costs (COSTS), norm_size, norm_scale and norm_power.

    epochs: number of passes over the training rows.
    batch: number of images per gradient step.
    momentum: momentum of stochastic gradient descent.
    drops: fractions of the epochs at which the learning rate is divided by 10.
    """

    epochs: PositiveInt
    batch: PositiveInt
    momentum: Annotated[float, Range(ge=0, lt=1)]
    drops: list[Share]

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedCnn":
        """The network trained on images X (n, p) with classes y (n,) by stochastic gradient descent with momentum.

        A row of X contains one channel after the other, each in row-major order. rng draws the initial weights and the
        order of the images in each epoch. Training is reproducible on a CPU; a GPU is used if there is one.
        Raises: ValueError for images that are not square, and when the weights diverge; UserError without PyTorch.
        """
        torch = pytorch()
        torch.set_num_threads(1)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        draws = torch.Generator().manual_seed(int(rng.integers(2**31)))
        pixels = Pixels.of(X)
        images, labels = pixels.images(X, device), torch.as_tensor(y, dtype=torch.int64, device=device)
        network = Network.drawn(images.shape[1:], int(y.max()) + 1, configuration, draws, device)
        optimizer = torch.optim.SGD(network.groups(configuration), momentum=self.momentum)
        for epoch in range(self.epochs):
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * self.factor(epoch)
            for rows in torch.randperm(len(images), generator=draws).split(self.batch):
                loss = torch.nn.functional.cross_entropy(network.scores(images[rows]), labels[rows])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            if not network.is_finite():
                raise ValueError(f"the weights diverge in epoch {epoch + 1}")
        return FittedCnn(network, pixels, device)

    def factor(self, epoch: int) -> float:
        """Factor of the learning rate in an epoch, counted from 0."""
        return 0.1 ** sum(epoch >= share * self.epochs for share in self.drops)

    def unconverged(self, fitted: "FittedCnn") -> int:
        """0: the number of epochs is part of the protocol."""
        return 0


@dataclass(frozen=True)
class FittedCnn:
    """A trained network, the scale of its input pixels, and its device."""

    network: "Network"
    pixels: "Pixels"
    device: str

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each image of X (n, p)."""
        return self.predict_proba(X).argmax(axis=1)

    def predict_proba(self, X: NDArray) -> NDArray:
        """Probability (n, n_classes) of each class for each image of X (n, p)."""
        torch = pytorch()
        with torch.no_grad():
            scores = self.network.scores(self.pixels.images(X, self.device))
            return scores.softmax(dim=1).cpu().numpy()


@dataclass(frozen=True)
class Pixels:
    """Pixels on the scale of cuda-convnet: 0 to 255 minus the mean image.

    The range of each pixel in the training rows is mapped to 0 to 255. On CIFAR-10, where every pixel has this range
    already, nothing changes; other data sets get the scale that the learning rates and initial weights assume.

    low, factor, mean (p,): minimum, scale factor and scaled mean of each pixel; the factor of a constant pixel is 0.
    """

    low: NDArray
    factor: NDArray
    mean: NDArray

    @classmethod
    def of(cls, X: NDArray) -> "Pixels":
        """The scale of training rows X (n, p)."""
        low, extent = X.min(axis=0), np.ptp(X, axis=0).astype(float)
        factor = np.divide(BRIGHTEST, extent, out=np.zeros(len(extent)), where=extent > 0)
        return cls(low, factor, (X.mean(axis=0) - low) * factor)

    def images(self, X: NDArray, device: str) -> Any:
        """Tensor (n, channels, side, side), single precision, of the rows of X (n, p)."""
        scaled = ((X.astype(np.float32) - self.low) * self.factor - self.mean).astype(np.float32)
        return pytorch().as_tensor(scaled, device=device).reshape(-1, *image_shape(X.shape[1]))


def image_shape(p: int) -> tuple[int, int, int]:
    """(channels, side, side) of a square image of p values, colour or grey. Raises: ValueError if there is none."""
    for channels in (3, 1):
        side = int(np.sqrt(p // channels))
        if channels * side**2 == p:
            return channels, side, side
    raise ValueError(f"{p} features are not the pixels of a square image of 1 or 3 channels")


@dataclass(frozen=True)
class Network:
    """Three convolutions with pooling, response normalization after the first two, and a fully connected layer.

    weights: (weight, bias) tensors of each layer; convolution weights are (filters, channels, WIDTH, WIDTH).
    size, scale, power: parameters of the response normalization.
    """

    weights: list
    size: int
    scale: float
    power: float

    @classmethod
    def drawn(cls, shape: tuple, n_classes: int, configuration: dict, draws: Any, device: str) -> "Network":
        """The network before training, for images of shape (channels, side, side); draws is a torch generator."""
        torch = pytorch()
        channels, side, _ = shape
        for _ in FILTERS:
            side = pooled(side)
        shapes: list[tuple[int, ...]] = [(out, into, WIDTH, WIDTH) for into, out in pairwise((channels, *FILTERS))]
        shapes.append((n_classes, FILTERS[-1] * side**2))
        weights = [
            tuple(
                tensor.to(device).requires_grad_()
                for tensor in (sd * torch.randn(of, generator=draws), torch.zeros(of[0]))
            )
            for of, sd in zip(shapes, DEVIATIONS, strict=True)
        ]
        return cls(weights, *(configuration[f"norm_{name}"] for name in ("size", "scale", "power")))

    def groups(self, configuration: dict) -> list[dict]:
        """Parameter groups for the optimizer: for each layer its weights, with their cost, and its biases."""
        rate = configuration["learning_rate"]
        groups = []
        for (weight, bias), cost in zip(self.weights, COSTS, strict=True):
            groups.append({"params": [weight], "lr": rate, "rate": rate, "weight_decay": configuration[cost]})
            groups.append({"params": [bias], "lr": BIAS_RATE * rate, "rate": BIAS_RATE * rate, "weight_decay": 0.0})
        return groups

    def scores(self, images: Any) -> Any:
        """Logits (n, n_classes) of images (n, channels, side, side)."""
        F = pytorch().nn.functional
        first, second, third, last = self.weights
        maps = windows(F.max_pool2d, F.conv2d(images, *first, padding=WIDTH // 2)).relu()
        maps = windows(F.avg_pool2d, F.conv2d(self.normalized(maps), *second, padding=WIDTH // 2).relu())
        maps = windows(F.avg_pool2d, F.conv2d(self.normalized(maps), *third, padding=WIDTH // 2).relu())
        return F.linear(maps.flatten(start_dim=1), *last)

    def normalized(self, maps: Any) -> Any:
        """Maps (n, channels, side, side) after response normalization within each map."""
        # rnorm: u / (1 + scale / size^2 sum u'^2)^power, summed over the size x size pixels u' around u, zero padded
        F = pytorch().nn.functional
        before, after = self.size // 2, self.size - 1 - self.size // 2
        squares = F.avg_pool2d(F.pad(maps**2, (before, after, before, after)), self.size, stride=1)
        return maps / (1 + self.scale * squares) ** self.power

    def is_finite(self) -> bool:
        """Whether every weight and bias is finite."""
        return all(bool(tensor.isfinite().all()) for layer in self.weights for tensor in layer)


def windows(pool: Any, maps: Any) -> Any:
    """Pooled maps (n, channels, side, side); the part of a window beyond the border is ignored."""
    return pool(maps, min(POOLED, maps.shape[-1]), stride=STRIDE, ceil_mode=True)


def pooled(side: int) -> int:
    """Side of a map after pooling, e.g. 32, 16, 8, 4."""
    return -(-(side - min(POOLED, side)) // STRIDE) + 1


def pytorch() -> Any:
    """The module torch. Raises: UserError when it is not installed."""
    try:
        import torch
    except ImportError as problem:
        raise UserError("the network needs PyTorch, which is not installed: pip install -e .[cnn]") from problem
    return torch
