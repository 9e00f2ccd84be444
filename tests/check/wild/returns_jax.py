"""JAX: (loss, auxiliary)."""
import jax
import jax.numpy as jnp


def loss(query, key):
    query, key = (v / jnp.linalg.norm(v, axis=1, keepdims=True) for v in (query, key))
    logits = query @ key.T / 0.1
    each = jax.nn.logsumexp(logits, axis=1) - jnp.diag(logits)
    return each, {"pos": jax.lax.stop_gradient(jnp.diag(logits)).mean(), "logits": logits}
