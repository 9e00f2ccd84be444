"""Classes of rows, those of one side by side: which scores lie within a class, and what a class sums to."""

from typing import NamedTuple

from array_api_compat import array_namespace, is_dask_array

from ..arrays import Array, device
from .rows import row_by_row


class Classes(NamedTuple):
    """order (N,): the rows, class by class · label, place, size (N,): of each in that order its label, which it is
    of its class, from 0 on, and how many its class has. Of Dask's rows they are NumPy's: N numbers each."""

    order: Array
    label: Array
    place: Array
    size: Array

    @classmethod
    def of(cls, labels: Array) -> "Classes":
        """The classes of rows with these labels (N,)."""
        if is_dask_array(labels):
            labels = labels.compute()
        xp = array_namespace(labels)
        order = xp.argsort(labels, stable=True)
        label = xp.take(labels, order)
        first, after = (xp.searchsorted(label, label, side=side) for side in ("left", "right"))
        return cls(order, label, xp.arange(label.shape[0], device=device(label)) - first, after - first)

    def side_by_side(self, x: Array) -> Array:
        """A copy of rows, class by class."""
        return self.moved(x, self.order)

    def as_they_came(self, x: Array) -> Array:
        """The inverse."""
        return self.moved(x, array_namespace(self.order).argsort(self.order))

    def moved(self, x: Array, order: Array) -> Array:
        rows = array_namespace(x).take(x, order, axis=0)
        return rows.rechunk({0: x.chunks[0]}) if is_dask_array(x) else rows

    def positives(self, like: Array) -> tuple[Array, Array]:
        """|P_i| (N,) of each, class by class, 1 where there is none; and 1 for each that has one, else 0."""
        xp = array_namespace(like)
        count = xp.asarray(self.size - 1, dtype=like.dtype, device=device(like))
        return xp.clip(count, 1, None), xp.clip(count, None, 1)

    def centred(self, x: Array) -> Array:
        """x less the mean of each row's class: exactly 0 if all rows of a class are the same."""

        def less(x: Array, first: Array) -> tuple[Array]:
            return (x - first,)

        def less_mean(x: Array, total: Array, size: Array) -> tuple[Array]:
            return (x - total / size[:, None],)

        # less the first row to begin with: the difference of rows that nearly coincide is exact
        of, xp = array_namespace(self.place), array_namespace(x)
        first = self.moved(x, of.arange(self.place.shape[0], device=device(self.place)) - self.place)
        size = xp.asarray(self.size, dtype=x.dtype, device=device(x))
        (y,) = row_by_row(less, x, first)
        (y,) = row_by_row(less_mean, y, self.sums(y), size)
        return y

    def sums(self, x: Array) -> Array:
        """Of each row the sum of its class's rows of x (N, d), which are added two by two, and these sums again:
        the error does not grow with the class."""
        xp, of = array_namespace(x), array_namespace(self.place)
        place = self.place
        for _ in range(int(of.max(place)).bit_length()):  # each round halves the places
            first = of.nonzero(place % 2 == 0)[0]
            # the next row begins a pair too; after the last one comes the first, whose place is 0
            alone = of.take(of.roll(place, -1), first) % 2 == 0
            second = of.where(alone, of.zeros_like(first) + place.shape[0], first + 1)
            nothing = xp.zeros((1, x.shape[1]), dtype=x.dtype, device=device(x))
            x = xp.take(x, first, axis=0) + xp.take(xp.concat([x, nothing]), second, axis=0)
            place = of.take(place, first) // 2
        return xp.take(x, of.cumulative_sum(of.astype(self.place == 0, place.dtype)) - 1, axis=0)


class Part(NamedTuple):
    """Of the scores of rows and columns, class by class, those within a class, or those across classes. rows (n,),
    columns (m,): their labels · within: which of the two."""

    rows: Array
    columns: Array
    within: bool

    def has(self, rows: slice, columns: slice) -> bool | None:
        """Whether the scores of these rows and columns are in it; None where some are and some are not."""
        a, b = self.rows[rows], self.columns[columns]
        if a[-1] < b[0] or b[-1] < a[0]:
            return not self.within
        return self.within if a[0] == a[-1] == b[0] == b[-1] else None

    def left_out(self, rows: slice, columns: slice) -> Array:
        """Which of the scores of these rows and columns are not in it, (n, m)."""
        within = self.rows[rows][:, None] == self.columns[columns][None, :]
        return ~within if self.within else within
