"""Every loss that is proved, by its name in `infonce_ref.losses`."""

from derivations import infonce, ntxent
from derivations.prover.statement import Statement

STATEMENTS: dict[str, Statement] = {lesson.STATEMENT.loss: lesson.STATEMENT for lesson in (infonce, ntxent)}
