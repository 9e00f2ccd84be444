"""SimCLR's step in PyTorch: autograd, torch.optim and NTXentLoss replace the hand-written gradients of
`simclr.step`.

The same images, views and weights; the state stays arrays, so that a run may change its framework when it resumes.
"""

import numpy as np
import torch

from ..arrays import leaves, map_leaves
from ..torch.nn import NTXentLoss
from . import simclr
from .parts import networks, updates
from .parts.images import Images, minibatch
from .parts.registry import Algorithm


class Layer(torch.nn.Module):
    """A layer of `networks`: linear, or with batch normalisation, a bias and SiLU."""

    def __init__(self, layer: networks.Layer):
        super().__init__()
        self.hidden = isinstance(layer, networks.Hidden)
        self.weight, self.bias = (torch.nn.Parameter(torch.tensor(x)) for x in layer)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        u = x @ self.weight
        if not self.hidden:
            return u + self.bias
        n = torch.nn.functional.batch_norm(u, None, None, training=True, eps=networks.EPSILON)
        return torch.nn.functional.silu(n + self.bias)


def step(
    state: simclr.State, images: Images, rng: np.random.Generator, options: simclr.Options
) -> tuple[simclr.State, float]:
    """Run one pass through the loop; return the new state and the loss in nats."""
    model = torch.nn.Sequential(*map(Layer, state.f + state.g))
    sgd = torch.optim.SGD(
        model.parameters(), lr=options.rate, momentum=updates.MOMENTUM, weight_decay=updates.DECAY
    )
    for weight, velocity in zip(model.parameters(), leaves(state.velocity), strict=True):
        sgd.state[weight]["momentum_buffer"] = torch.tensor(velocity)
    x = images.train[minibatch(images, options.batch, rng)]
    views = [torch.tensor(images.view(x, rng)) for _ in range(2)]
    # views of one image are adjacent, because batch normalisation sums the rows in this order
    z = model(torch.stack(views, dim=1).flatten(0, 1))
    loss = NTXentLoss(temperature=options.temperature)(z[::2], z[1::2])
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    weights, velocities = (x.detach() for x in model.parameters()), (sgd.state[x] for x in model.parameters())
    f, g = map_leaves(lambda _: next(weights).numpy(), (state.f, state.g))
    velocity = map_leaves(lambda _: next(velocities)["momentum_buffer"].numpy(), state.velocity)
    return simclr.State(f, g, velocity), loss.item()


STEPS = {"simclr": step}


def convert(algorithm: Algorithm) -> Algorithm:
    """Return the algorithm with its step in PyTorch. Raises ValueError if it has none."""
    if algorithm.name not in STEPS:
        raise ValueError(
            f"--framework torch trains {', '.join(STEPS)}; for {algorithm.name} leave the option out"
        )
    return algorithm._replace(step=STEPS[algorithm.name])
