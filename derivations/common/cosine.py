"""The cosine of row i of one array with row i of another, for BYOL and SimSiam."""


def unit(rows: str) -> str:
    """x̄, the rows x divided by their lengths."""
    return f"{rows[0]}\u0304{rows[1:]}"


def definitions(left: str, right: str, cosine: str) -> tuple[str, ...]:
    """Define the lengths and unit rows of both arrays, x̄ = x/‖x‖, and the cosines of their rows."""
    return (
        *(f"‖{x}‖[i] := √(Σ_g {x}[i,g]^2)" for x in (left, right)),
        *(f"{unit(x)}[i,f] := {x}[i,f]/‖{x}[i]‖" for x in (left, right)),
        f"{cosine}[i] := Σ_h {unit(left)}[i,h] {unit(right)}[i,h]",
    )


def cosine_by(rows: str, other: str, cosine: str) -> str:
    """∂ cos(x, y)/∂x[k,f] = (ȳ − cos x̄)/‖x‖: the part of ȳ orthogonal to x̄, divided by the length of x."""
    return f"({unit(other)}[k,f] - {cosine}[k] {unit(rows)}[k,f])/‖{rows}[k]‖"
