"""Bring the translations up to date with the lessons: `python tools/languages.py` adds new lines to the catalogues
in derivations/pages/locale, removes those that are gone, and prints what has no translation.
"""

import re
from collections.abc import Iterator

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from infonce_ref.derivations.pages import book, glossary, lesson, translation
from infonce_ref.figures import load

HEAD = 'msgid ""\nmsgstr ""\n"Language: {}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'


def list_lines() -> Iterator[str]:
    """Yield the lines of lessons, their figures and the glossary that have words, or numbers to be written anew."""
    written = [glossary.TEXT]
    for page in lesson.lessons().values():
        written += [page.title, page.summary]
    for page in (lesson.first_page(), *map(lesson.lessons().__getitem__, translation.LESSONS)):
        written += [page.title, *lesson.texts(page), page.after]
        for figure in map(load, book.list_arguments(page, "figure")):
            written += [" ".join(words.split()) for words in (figure.title, figure.text)]
    for text in written:
        for _, words in translation.LINE.findall(lesson.REFERENCE.sub("", lesson.CODE.sub("", text))):
            if re.search(r"\w", translation.KEPT.sub("", words)) or translation.THOUSANDS.search(words):
                yield words


for code in translation.LANGUAGES:
    known, catalogue = translation.Language(code), Catalog()
    for line in list_lines():
        catalogue.add(line, known.lines.get(line, "")).flags.clear()  # braces are no format of Python's
    for words, translated in known.words.items():
        catalogue.add(words, translated, context="page")
    with translation.find_catalogue(code).open("wb") as file:
        file.write(HEAD.format(code).encode())
        write_po(file, catalogue, width=0, omit_header=True)
    missing = [message.id for message in catalogue if message.id and not message.string]
    print(f"{code}: {len(missing)} of {len(catalogue)} messages have no translation", *missing, sep="\n  ")
