"""Lists of names as school systems in fourteen languages write them, each with its pupils."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any, Final

from openpyxl import Workbook

from classrooms.roster.importing.file_process import read_file
from classrooms.roster.importing.pupils import NameSheet


@dataclass(frozen=True, slots=True)
class Language:
    given: str
    family: str
    heads: tuple[str, str, str, str]
    """The headings for the given name, family name, whole name and class, and some headings that
    the site ignores."""
    beside: tuple[str, ...]
    title: str
    footer: str
    left: str
    encodings: tuple[str, ...]  # besides UTF-8, the encodings that programs there write
    group: str = "4A"


WEST: Final = ("cp1252", "mac_roman", "cp850")
CENTRAL: Final = ("cp1250", "iso8859_2")
LANGUAGES: Final = {
    "en": Language(
        "Olivia Noah Amelia George Isla Arthur Zoë Chloë Siân Oscar Freya Harry Seán Róisín Anaïs",
        "Smith Jones O’Brien Taylor Brown Evans Khan Walker Wright Hughes",
        ("First name", "Last name", "Pupil name", "Reg Group"),
        ("UPN", "Date of birth", "Gender"),
        "Class list for Year 4", "Total: {n} pupils", "Leaver", WEST,
    ),
    "nl": Language(
        "Noor Daan Emma Sem Zoë Lieke Daniël Loïs Thijs Fenna Chloë Jip Raphaël Mats Anaïs",
        "Bakker de_Vries van_der_Velde Jansen van_den_Berg Visser Smit Mulder de_Boer Bos",
        ("Roepnaam", "Achternaam", "Naam leerling", "Stamgroep"),
        ("Leerlingnummer", "Geboortedatum", "Tussenvoegsel"),
        "Groepslijst 5A schooljaar 2026-2027", "Totaal: {n} leerlingen", "Uitgeschreven", WEST,
    ),
    "de": Language(
        "Jörg Sönke Jürgen Käthe Mia Ben Emma Günther Björn Lotte Zoé Özlem Hanna Jakob Bärbel",
        "Müller Schmidt Groß Weiß Köhler Schröder Becker Krüger Wolf Böhm",
        ("Vorname", "Nachname", "Schüler/in", "Klasse"),
        ("Geburtsdatum", "Geschlecht", "Lfd. Nr."),
        "Klassenliste 4a 2026/27", "Anzahl: {n}", "abgemeldet", WEST,
    ),
    "sv": Language(
        "Åsa Björn Örjan Märta Göran Ebba Alva Håkan Linnéa Tove Jörgen Ida Noah Östen Maja",
        "Ek Alm Åberg Öberg Lindström Söderberg Nilsson Bergström Sjögren Holm",
        ("Tilltalsnamn", "Efternamn", "Elevens namn", "Klass"),
        ("Personnummer", "Kön"),
        "Klasslista 4A 2026", "Antal elever: {n}", "Avslutad", WEST,
    ),
    "da": Language(
        "Søren Åge Bjørn Lærke Jørgen Freja Alma Ida Øyvind Oscar Karla Malthe Rønja Emil Sofie",
        "Kjær Sørensen Jørgensen Møller Nielsen Østergaard Holm Krogh Bæk Lund",
        ("Fornavn", "Efternavn", "Elevnavn", "Klasse"),
        ("Fødselsdato", "Køn"),
        "Klasseliste 4A 2026", "I alt: {n}", "udmeldt", ("cp1252", "mac_roman"),
    ),
    "fi": Language(
        "Väinö Päivi Aino Eero Hilla Leevi Tyyne Mäkelä Ilona Onni Sämpsä Jyrki Aada Pentti Helmi",
        "Virtanen Mäkinen Nieminen Hämäläinen Korhonen Järvinen Lehtonen Heikkilä Salo Niemi",
        ("Etunimi", "Sukunimi", "Oppilaan nimi", "Luokka"),
        ("Syntymäaika", "Sukupuoli"),
        "Luokkalista 4A 2026", "Yhteensä: {n}", "eronnut", ("cp1252", "mac_roman"),
    ),
    "fr": Language(
        "Chloé Inès Hélène François Gaëlle Léa Hugo Anaïs Jérôme Noémie Benoît Théo Éloïse Lou",
        "Martel Roussel Lambert Lefèvre Gérard Bérnard Dupré Noël Mercier Hébert",
        ("Prénom", "Nom de famille", "Élève", "Classe"),
        ("Né(e) le", "Sexe", "INE"),
        "Liste des élèves 2026-2027", "Effectif : {n}", "Radié", WEST, "CM1",
    ),
    "es": Language(
        "María Raúl Íñigo Begoña José Ángel Sofía Andrés Lucía Hugo Alba Leo Óscar Carmen Martín",
        "García Núñez López Pérez Ibáñez Martín Gómez Ruiz Peña Muñoz",
        ("Nombre", "Apellidos", "Alumno", "Grupo"),
        ("Fecha de nacimiento", "Sexo"),
        "Lista de alumnos 2026", "Total: {n}", "Baja", WEST,
    ),
    "pt": Language(
        "João Inês Conceição António Gonçalo Simão Íris Leonor Matilde Duarte Sebastião Clara Rui",
        "Gonçalves Magalhães Conceição Simões Araújo Silva Sousa Guimarães Leitão Rocha",
        ("Primeiro nome", "Apelido", "Nome do aluno", "Turma"),
        ("Data de nascimento", "Género"),
        "Lista de alunos 2026", "Total: {n}", "Transferido", ("cp1252", "mac_roman"),
    ),
    "it": Language(
        "Nicolò Niccolò Greta Noè Sofia Marco Giosuè Chiara Luca Desirée Anna Tommaso Élia Bianca",
        "Rossi Forlì Cantù Russo Ferrari Bianchì Conti Costa Nardò Greco",
        ("Nome", "Cognome", "Alunno", "Classe"),
        ("Data di nascita", "Codice fiscale"),
        "Elenco alunni 2026", "Totale: {n}", "Ritirato", WEST,
    ),
    "pl": Language(
        "Łukasz Grażyna Małgorzata Paweł Michał Zofia Jędrzej Łucja Stanisław Hanna Błażej Róża",
        "Wójcik Wiśniewska Dąbrowski Święcicka Kowalczyk Zając Wróbel Król Górska Nowak",
        ("Imię", "Nazwisko", "Uczeń", "Oddział"),
        ("PESEL", "Płeć"),
        "Lista uczniów 2026", "Razem: {n}", "skreślony", CENTRAL,
    ),
    "cs": Language(
        "Tomáš Lukáš Jiří Kateřina Zdeněk Ondřej Šárka Žofie Štěpán Růžena Eliška Jan Eva Adéla",
        "Novák Dvořáková Černý Procházka Kučera Veselý Němec Růžička Šťastný Říha",
        ("Jméno", "Příjmení", "Žák", "Třída"),
        ("Datum narození", "Pohlaví"),
        "Seznam žáků 2026", "Celkem: {n}", "odhlášen", CENTRAL,
    ),
    "hu": Language(
        "László György Zoltán Ágnes Bálint Réka Hanna Zsófia Örs Csenge Ákos Jenő Gergő Panna Éva",
        "Nagy Kovács Szabó Tóth Horváth Kiss Győri Jenőfi Körös Szűcs",
        ("Keresztnév", "Vezetéknév", "Tanuló neve", "Osztály"),
        ("Születési dátum", "Neme"),
        "Osztálynévsor 2026", "Összesen: {n}", "inaktív", CENTRAL,
    ),
    "tr": Language(
        "Ayşe Çağla Özgür Işıl Gökçe İlayda Şule Barış Yiğit Tuğçe Ümit Elif Can Deniz Ece",
        "Yılmaz Öztürk Şahin Çelik Aydın Kılıç Doğan Güneş Işık Kaya",
        ("Adı", "Soyadı", "Öğrenci Adı Soyadı", "Şube"),
        ("Doğum Tarihi", "Cinsiyet"),
        "Sınıf Listesi 2026", "Toplam: {n}", "Pasif", ("cp1254",),
    ),
}  # fmt: skip
SYSTEMS: Final = ("plain", "google", "canvas", "register", "names", "teams")
SHAPES: Final = (
    "as it is", "title", "footer", "empty rows", "hidden rows", "left", "test pupil", "repeated",
    "excel", "title and footer", "capitals", "signs", "another order", "hard spaces",
    "more columns",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listed:
    """A list and its content: given and family name of each pupil, in order. If `alone`, the list
    has no family names."""

    words: str
    data: bytes
    pupils: Sequence[tuple[str, str]]
    alone: bool = False


def random_list(random: Random) -> Listed:
    name = random.choice(list(LANGUAGES))
    language = LANGUAGES[name]
    system, shape = random.choice(SYSTEMS), random.choice(SHAPES)
    givens = random.sample(language.given.split(), random.randint(6, 12))
    if random.random() < 0.3:
        givens.append(givens[0])
    families = language.family.split()
    random.shuffle(families)
    pupils = [
        (first, families[n % len(families)].replace("_", " ")) for n, first in enumerate(givens)
    ]
    if len({family[0] for _given, family in (pupils[0], pupils[-1])}) == 1:
        pupils = pupils[:-1]
    head, rows = _table(system, language, pupils, random)
    rows = [head, *rows]
    hidden: list[int] = []
    width = len(head)
    leaver = random.choice(families).replace("_", " ")
    match shape:
        case "title" | "title and footer":
            rows = [[language.title], [], *rows]
        case "empty rows":
            rows = [rows[0], *(row for cells in rows[1:] for row in (cells, [""] * width))]
            rows += [[""] * width] * 400
        case "repeated":
            rows = [*rows[:4], rows[0], *rows[4:]]
        case "test pupil" if system != "names":
            rows.append(_row(system, language, ("Test", "Student"), 99))
        case "hidden rows" if system != "names":
            rows.insert(3, _row(system, language, ("Verstopt", leaver), 98))
            hidden = [3]
        case "left" if system in ("plain", "google"):
            rows = [[*row, "Status" if n == 0 else "Active"] for n, row in enumerate(rows)]
            rows.append([*_row(system, language, ("Weg", leaver), 97), language.left])
        case "another order":
            order = random.sample(range(width), width)
            rows = [[row[column] for column in order] for row in rows]
        case "hard spaces":
            rows = [[cell.replace(" ", "\u00a0") for cell in row] for row in rows]
        case "more columns":
            more_heads = ["Parent", "E-mail", "Notes"]
            more_cells = ["Alice Berg", "alice@school.example", "glasses, sits in front"]
            rows = [
                ["Nr.", *rows[0], *more_heads],
                *([f"{n}.", *row, *more_cells] for n, row in enumerate(rows[1:], 1)),
            ]
            width += 4
        case "capitals":
            rows[0] = [cell.upper() for cell in rows[0]]
        case "signs":
            rows[1] = [f"\u200f{cell}\u200b" if cell else cell for cell in rows[1]]
    if shape in ("footer", "title and footer"):
        rows += [[], [language.footer.format(n=len(pupils))]]
    words = f"{name}, {system}, {shape}"
    alone = system == "names"
    if hidden or shape == "excel":
        return Listed(f"{words}, xlsx", _workbook(rows, hidden), pupils, alone)
    encodings = ["utf-8", "utf-8-sig", "utf-16", *language.encodings]
    if shape == "signs":
        encodings = encodings[:3]
    encoding = random.choice(encodings)
    separator = random.choice(",;\t")
    text = _csv(rows, width, separator, random.choice(("\n", "\r\n", "\r")))
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        encoding, data = "utf-8", text.encode()
    return Listed(f"{words}, {encoding}, {separator!r}", data, pupils, alone)


def _table(
    system: str, language: Language, pupils: Sequence[tuple[str, str]], random: Random
) -> tuple[list[str], list[list[str]]]:
    given, family, whole, group = language.heads
    rows = [_row(system, language, pupil, n) for n, pupil in enumerate(pupils)]
    match system:
        case "plain":
            return [given, family, *language.beside[:1], group], rows
        case "google":
            return (
                ["First Name [Required]", "Last Name [Required]", "Email Address [Required]",
                 "Org Unit Path [Required]"],
                rows,
            )  # fmt: skip
        case "canvas":
            points = ["    Points Possible", "", "", "", "10.0"]
            return ["Student", "ID", "SIS Login ID", "Section", "Quiz 1 (301)"], [points, *rows]
        case "register":
            return [language.beside[0], whole, group], rows
        case "teams":
            return ["First name", "Last name", "Username", "Status"], rows
    return [given], rows


def _row(system: str, language: Language, pupil: tuple[str, str], number: int) -> list[str]:
    given, family = pupil
    words = family.split()
    last, particle = words[-1], " ".join(words[:-1])
    in_order = f"{last}, {given} {particle}".strip()
    match system:
        case "plain":
            return [given, family, f"{1000 + number}", language.group]
        case "google":
            return [given, family, f"p{number}@school.example", "/Pupils/4A"]
        case "canvas":
            return [in_order, f"{2000 + number}", f"s{number}", language.group, f"{number % 10}"]
        case "register":
            return [f"{3000 + number}", in_order, language.group]
        case "teams":
            return [given, family, f"p{number}", "Active"]
    return [given]


def _csv(rows: Sequence[Sequence[str]], width: int, separator: str, end: str) -> str:
    def cell(text: str) -> str:
        return f'"{text}"' if separator in text or '"' in text else text

    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    return end.join(separator.join(map(cell, row)) for row in padded) + end


def _workbook(rows: Sequence[Sequence[str]], hidden: Sequence[int]) -> bytes:
    book = Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(list(row))
    for number in hidden:
        sheet.row_dimensions[number + 1].hidden = True
    to = io.BytesIO()
    book.save(to)
    return to.getvalue()


TODAY = date(2026, 11, 27)


Classes = dict[str, list[str]]


def read(data: str | bytes) -> NameSheet:
    return read_file(data.encode() if isinstance(data, str) else data, TODAY)


def classes(data: str | bytes) -> Classes:
    """The names of each class."""
    sheet = read(data)
    assert sheet.columns.is_sure
    return {name: [p.name for p in sheet.pupils_in(name)] for name, _count in sheet.groups()}


def excel(
    *sheets: Sequence[Sequence[Any]], hidden_rows: Sequence[int] = (), hidden: bool = False
) -> bytes:
    """An Excel file with these sheets, rows of which may be hidden; `hidden` hides the first."""
    book = Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
        for number in hidden_rows:
            sheet.row_dimensions[number].hidden = True
    if hidden:
        book.worksheets[0].sheet_state = "hidden"
    return saved(book)


def saved(book: Workbook) -> bytes:
    to = io.BytesIO()
    book.save(to)
    return to.getvalue()


def zip_of(parts: Mapping[str, str | bytes]) -> bytes:
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return to.getvalue()


def parts_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
