from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    name = "classrooms.questions"
    label = "checks"  # in the names of tables and migrations
