"""Build the lessons from the proofs; a page cannot show an equation that was not checked.

`lessons/` holds the texts, `lesson` parses them, `book` finds the claims that they show, `formula` checks the
formulas of their prose, with letters from `situations`. `mathematics` and `html` render the blocks of a page,
`ledger_pages` the claims of each document, `cheat_sheet` every loss with the words of `loss_cards`, and
`reference` what Sphinx reads of the code. `site` makes the sources of the site and has Sphinx build it. `export`
writes a claim, which `terminal` prints, and `notebook` puts into the cells of a lesson. `controls` has reference
values for the sliders, `geometry` for points on the sphere, `course` the experiments of the opening page.
`translation` reads the catalogues of other languages. Figures come from `infonce_ref`, which nothing here imports;
the caller passes them in.
"""
