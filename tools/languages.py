"""Bring the translations up to date with the lessons: `python tools/languages.py` adds new lines to the catalogues
in derivations/pages/locale, removes those that are gone, and prints what has no translation.
"""

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from infonce_ref.derivations.pages import translation
from infonce_ref.figures import load

HEAD = 'msgid ""\nmsgstr ""\n"Language: {}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'


def main() -> None:
    for code in translation.LANGUAGES:
        known, catalogue = translation.Language(code), Catalog()
        for line in translation.list_messages(load):
            catalogue.add(line, known.lines.get(line, ""))
        for words, translated in known.words.items():
            catalogue.add(words, translated, context="page")
        with translation.find_catalogue(code).open("wb") as file:
            file.write(HEAD.format(code).encode())
            write_po(file, catalogue, width=0, omit_header=True)
        missing = [message.id for message in catalogue if message.id and not message.string]
        print(
            f"{code}: {len(missing)} of {len(catalogue)} messages have no translation", *missing, sep="\n  "
        )


if __name__ == "__main__":
    main()
