"""Functions with signatures, lifted: their extra axes never meet the axes of their bodies."""

import numpy as np

from .case import REALS, Case, Named, Source, composed, largest, wide


def attention_case(title, query, key, value, weigh, mix, axes):
    """softmax_seq(Q ⊙_key K / √|key|) ⊙_seq V; `weigh` and `mix` are its two products for einsum,
    with s for the axis that the softmax runs over."""
    dtype = query.dtype
    scores = np.einsum(weigh, wide(query), wide(key)) / np.sqrt(query.size("key"))
    position = weigh.split("->")[1].index("s")
    powers = np.exp(scores - scores.max(axis=position, keepdims=True))
    weights = powers / powers.sum(axis=position, keepdims=True)
    found = np.einsum(mix, weights, wide(value))
    scale = largest(wide(value)) * (1 + 2 * largest(scores))
    return Case("call_attention", f"{title} of {dtype}", [query, key, value],
                [Named(found.astype(dtype), axes)], accuracy=composed(dtype, 8, scale, 8, scale))


def attention_cases():
    """The signature is key, seq × key, seq × val → val."""
    for dtype in REALS:
        source = Source("attention", dtype)

        def draw(**sizes):
            return source.tensor(dtype, **sizes)
        yield attention_case("one query", draw(key=3), draw(seq=4, key=3), draw(seq=4, val=2),
                             "k,sk->s", "s,sv->v", ["val"])
        # Here `seq` of Q is not the one inside: one result for each query.
        yield attention_case("queries along an axis that the body uses", draw(seq=5, key=3),
                             draw(seq=4, key=3), draw(seq=4, val=2), "qk,sk->qs", "qs,sv->qv",
                             ["seq", "val"])
        yield attention_case("batches and heads", draw(batch=2, head=2, key=3),
                             draw(seq=4, key=3, head=2), draw(batch=2, seq=4, val=2),
                             "bhk,skh->bhs", "bhs,bsv->bhv", ["batch", "head", "val"])


def energy_cases():
    """Σ_layer x ⊙ x, with signature layer → {}."""
    for dtype in REALS:
        source = Source("energy", dtype)
        for title, tensor in [("a vector", source.tensor(dtype, layer=3)),
                              ("a batch", source.tensor(dtype, layer=3, batch=2, a=1)),
                              ("an empty batch", source.tensor(dtype, batch=0, layer=3))]:
            position = tensor.position("layer")
            found = np.sum(wide(tensor) ** 2, axis=position)
            output = Named(np.asarray(found).astype(dtype), tensor.without(["layer"]))
            yield Case("call_energy", f"{title} of {dtype}", [tensor], [output],
                       accuracy=composed(dtype, 2, terms=3, magnitude=largest(found)))


def cases():
    yield from attention_cases()
    yield from energy_cases()
