"""Any name on a plain list or in a plain table is read."""

from datetime import date
from random import Random

from classrooms.child_names import tidy
from classrooms.roster.importing.file_process import read_file
from classrooms.roster.importing.pupils import NameSheet
from tests.counts import times

FIRST_NAMES = """
Emma Noah Zoë Daniël Loïs Anne-Marie D’Arcy 'Ofa Jürgen Änne Jörg Åsa Björn Örjan Søren Ægir Þórður
Łukasz Żaneta Grażyna Jiří Šárka Zdeněk Ľudovít Gergő Örs Ștefan Čedomir Đorđe Jānis Kārlis Žydrūnė
Çağla Işıl İlayda Ömer José Íñigo Begoña João Chloé Inès Maëlys Noè Nicolò Siân Aoife Ċensa Nguyệt
Дмитрий Ольга Ївга Йордан Ђорђе Γιώργος Ελένη Անի გიორგი מיכל נועה مريم علي ژاله ਹਰਪ੍ਰੀਤ दीपा প্রিয়া
தமிழ் శ్రీ ณัฐพล กัญญา သူဇာ សុខ ສົມ 小明 美麗 さくら ハルト 서연 민준 ሰላም ངག་དབང
Max Page Jan April May June Mei Mart Klas Nomi Summer Data Mama Anne Isa Ema Viv Fin Marge Stella
Rose Dean Prince Major Earl Duke Baron Judge Ben Al El Di Do Van Bo Ai Xi Li Wu Jo Suma
Antal Bron Romeo Victor Mike India China Paris Sydney Sunday Friday Totò Elif Can Deniz
Guest Jordan Manuel Karl-Heinz Ann-Sofie J.P. T.J. Mc’Kay O'Neil Adi Nom Ad
Zak Nino Nam Media Sida Neve Barnaby Nuno Nim Alma Luna Dita Rolf
"""
SECOND_NAMES = "B. Bo Marie K José-Luis Maria"
FAMILY_NAMES = """
Bakker Groß Öberg O'Neil García_López van_der_Velde de_la_Cruz el_Amrani Müller-Lüdenscheidt Nowak
Wójcik Şahin Nguyễn Ольгина Παπάς مرادی 王 김 Page Total Klein Klasen Left Sommer Jung Alt Ende
"""
ALSO_HEADINGS = ("Ad", "Neve", "Nom")
"""Names that mean "name" at the top of a list. The page shows that they are left out."""


def read(text: str, random: Random) -> NameSheet:
    end = random.choice(("\n", "\r\n", "\r"))
    encoding = random.choice(("utf-8", "utf-8-sig", "utf-16"))
    return read_file(text.replace("\n", end).encode(encoding), date(2026, 11, 27))


def first_name(random: Random) -> str:
    name = random.choice(FIRST_NAMES.split())
    return f"{name} {random.choice(SECOND_NAMES.split())}" if random.random() < 0.1 else name


def test_every_first_name_on_a_plain_list_is_read() -> None:
    random = Random(7)
    for _ in range(times(300, 10_000)):
        few = [first_name(random) for _ in range(random.randint(2, 40))]
        names = random.choices(few, k=random.randint(3, 40))
        names = ["Emma", *names] if set(names) & set(ALSO_HEADINGS) else names
        gap = random.choice(("\n", "\n", "\n\n", "\n \n"))
        sheet = read(gap.join(names), random)
        assert [pupil.name for pupil in sheet.pupils] == list(map(tidy, names))
        assert sheet.columns.is_sure


def test_every_pupil_in_a_table_with_gaps_is_read() -> None:
    random = Random(8)
    for _ in range(times(300, 10_000)):
        gaps = random.choice((0.0, 0.1, 0.4))
        pupils = [
            (
                first_name(random),
                ""
                if random.random() < gaps
                else random.choice(FAMILY_NAMES.split()).replace("_", " "),
                "" if random.random() < gaps else random.choice(("4A", "4B", "Owls")),
            )
            for _ in range(random.randint(3, 40))
        ]
        separator = random.choice(";\t")
        table = [("First name", "Last name", "Class"), *pupils]
        sheet = read("\n".join(map(separator.join, table)), random)
        names = [(pupil.name, pupil.family) for pupil in sheet.pupils]
        assert names == [(tidy(given), tidy(family)) for given, family, _group in pupils]
        groups = [(p.group, group) for p, (*_, group) in zip(sheet.pupils, pupils, strict=True)]
        assert all(names == group for names, group in groups if group)
