from django.urls import path

from classrooms.downloads import views

DOWNLOADS = "classes/<uuid:class_id>/downloads/"
DOWNLOAD = f"{DOWNLOADS}<uuid:download_id>/"

urlpatterns = [
    path(DOWNLOADS, views.downloads, name="downloads"),
    path(f"{DOWNLOADS}part/", views.part, name="downloads_part"),
    path(DOWNLOAD, views.download, name="download"),
    path(f"{DOWNLOAD}again/", views.retry, name="download_again"),
    path(f"{DOWNLOAD}delete/", views.delete, name="delete_download"),
]
