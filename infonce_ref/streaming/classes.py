"""Rows sorted by class: which scores lie within a class, and the sums over each class."""

from collections.abc import Iterator
from typing import NamedTuple

from array_api_compat import is_dask_array

from ..arrays import Array, array_namespace, device
from .rows import map_rows, take


class Classes(NamedTuple):
    """order (N,): the rows, class by class; inverse (N,): of that order · label, size (N,): in that order, the
    label of each row, and the size of its class · first (N,): the first row of each row's class · sums: which rows
    are added in each round of `sum_classes` · number (N,): of each row's class, from 0 on. If the rows are Dask's,
    these are NumPy arrays.
    """

    order: Array
    inverse: Array
    label: Array
    size: Array
    first: Array
    sums: tuple[tuple[Array, Array], ...]
    number: Array

    @classmethod
    def from_labels(cls, labels: Array) -> "Classes":
        """Sort rows by these labels (N,)."""
        if is_dask_array(labels):
            labels = labels.compute()
        xp = array_namespace(labels)
        order = xp.argsort(labels, stable=True)
        label = take(labels, order)
        first, after = (xp.searchsorted(label, label, side=side) for side in ("left", "right"))
        place = xp.arange(label.shape[0], device=device(label)) - first
        number = xp.cumulative_sum(xp.astype(place == 0, place.dtype)) - 1
        return cls(order, xp.argsort(order), label, after - first, first, tuple(find_pairs(place)), number)

    def sort_rows(self, x: Array) -> Array:
        """Copy rows, class by class."""
        return self.take_rows(x, self.order)

    def restore_order(self, x: Array) -> Array:
        """Undo `sort_rows`."""
        return self.take_rows(x, self.inverse)

    def take_rows(self, x: Array, order: Array) -> Array:
        rows = take(x, order)
        return rows.rechunk({0: x.chunks[0]}) if is_dask_array(x) else rows

    def count_positives(self, like: Array) -> tuple[Array, Array]:
        """Return |P_i| (N,), class by class, 1 if there is no positive; and a mask as numbers: 1 for each row
        that has a positive, else 0.
        """
        xp = array_namespace(like)
        count = xp.asarray(self.size - 1, dtype=like.dtype, device=device(like))
        one = xp.ones_like(count)
        return xp.maximum(count, one), xp.minimum(count, one)

    def center(self, x: Array) -> Array:
        """Subtract the mean of its class from each row: exactly 0 if all rows of a class are equal."""
        # subtract the first row first: differences of nearly equal rows are exact
        size = array_namespace(x).asarray(self.size, dtype=x.dtype, device=device(x))
        (y,) = map_rows(lambda x, first: (x - first,), x, self.take_rows(x, self.first))
        (y,) = map_rows(lambda y, total, size: (y - total / size[:, None],), y, self.sum_classes(y), size)
        return y

    def sum_classes(self, x: Array) -> Array:
        """For each row the sum of its class's rows of x (N, d), summed pairwise, so that the error does not grow
        with the class.
        """
        xp = array_namespace(x)
        nothing = xp.zeros((1, x.shape[1]), dtype=x.dtype, device=device(x))
        for first, second in self.sums:
            x = take(x, first) + take(xp.concat([x, nothing]), second)
        return take(x, self.number)


def find_pairs(place: Array) -> Iterator[tuple[Array, Array]]:
    """Yield for each round which row is added to which; N stands for none. place (N,): the number of each row
    within its class, from 0 on. A round halves the number of summands.
    """
    xp = array_namespace(place)
    for _ in range(int(xp.max(place)).bit_length()):
        first = xp.nonzero(place % 2 == 0)[0]
        # the next row begins a pair too; after the last row the first one follows, whose place is 0
        alone = take(xp.roll(place, -1), first) % 2 == 0
        yield first, xp.where(alone, xp.full_like(first, place.shape[0]), first + 1)
        place = take(place, first) // 2


class Part(NamedTuple):
    """The scores within classes, or those across classes. rows (n,), columns (m,): labels, sorted · within."""

    rows: Array
    columns: Array
    within: bool

    def contains(self, rows: slice, columns: slice) -> bool | None:
        """Whether the scores of these rows and columns belong to this part; None if only some do."""
        a, b = self.rows[rows], self.columns[columns]
        if a[-1] < b[0] or b[-1] < a[0]:
            return not self.within
        return self.within if a[0] == a[-1] == b[0] == b[-1] else None

    def mask_rest(self, rows: slice, columns: slice) -> Array:
        """Mask of the scores of these rows and columns that do not belong to this part, (n, m)."""
        within = self.rows[rows][:, None] == self.columns[columns][None, :]
        return ~within if self.within else within
