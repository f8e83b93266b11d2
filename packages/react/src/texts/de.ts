import { createErrorText, createPlural, describeLanguage } from "../language.ts";
import type { LanguageTexts } from "../language-texts.ts";

const plural = createPlural<"one">("de");

/** German texts. */
export const german: LanguageTexts = {
  ...describeLanguage("de"),
  loading: "Wird geladen …",
  tryAgain: "Erneut versuchen",
  showMore: "Mehr anzeigen",
  deletedUser: "Gelöschter Benutzer",
  avatars: "In diesem Dokument",
  away: (name) => `${name} (abwesend)`,
  moreUsers: (count) => plural(count, { one: "# weitere Person", other: "# weitere Personen" }),
  activity: "Aktivität",
  noActivity: "Noch keine Aktivität.",
  inbox: "Posteingang",
  notifications: "Benachrichtigungen",
  inboxEmpty: "Keine Benachrichtigungen.",
  unread: (count) => plural(count, { one: "# ungelesen", other: "# ungelesen" }),
  markRead: "Als gelesen markieren",
  markReadOf: (headline) => `Als gelesen markieren: ${headline}`,
  markAllRead: "Alle als gelesen markieren",
  threadOf: (name) => `Diskussion von ${name}`,
  reactions: "Reaktionen",
  reply: "Antworten",
  send: "Senden",
  resolve: "Abschließen",
  resolved: "Abgeschlossen",
  reopen: "Wieder öffnen",
  edit: "Bearbeiten",
  editedByModerator: "Von der Moderation bearbeitet",
  cancel: "Abbrechen",
  save: "Speichern",
  delete: "Löschen",
  confirmDelete: "Diesen Kommentar löschen?",
  messages: {
    "activity.comment_annotation.add": "{{user}} hat eine Diskussion begonnen",
    "activity.comment.add": "{{user}} hat kommentiert",
    "activity.comment.delete": "{{user}} hat einen Kommentar gelöscht",
    "activity.comment_annotation.delete": "{{user}} hat eine Diskussion gelöscht",
    "activity.comment_annotation.resolve": "{{user}} hat eine Diskussion abgeschlossen",
    "activity.comment_annotation.status_change": "{{user}} hat den Status einer Diskussion geändert",
    "activity.comment_annotation.assign": "{{user}} hat eine Diskussion zugewiesen",
    "activity.comment_annotation.priority_change": "{{user}} hat die Priorität einer Diskussion geändert",
    "notification.comment_annotation.add": "{actionUser} hat eine Diskussion begonnen",
    "notification.comment.add": "{actionUser} hat kommentiert",
    "notification.comment.mention": "{actionUser} hat Sie erwähnt",
    "notification.comment_annotation.resolve": "{actionUser} hat eine Diskussion in {document} abgeschlossen: {status}",
    "notification.comment_annotation.status_change":
      "{actionUser} hat den Status einer Diskussion in {document} geändert: {status}",
    "notification.comment_annotation.assign": "{actionUser} hat {assignee} eine Diskussion in {document} zugewiesen",
    "notification.comment_annotation.unassign":
      "{actionUser} hat die Zuweisung einer Diskussion in {document} aufgehoben",
    "notification.comment_annotation.priority_change":
      "{actionUser} hat die Priorität einer Diskussion in {document} geändert: {priority}",
    "notification.comment_annotation.unnamed_priority":
      "{actionUser} hat die Priorität einer Diskussion in {document} geändert",
    "notification.comment_annotation.priority_remove":
      "{actionUser} hat die Priorität einer Diskussion in {document} entfernt",
    "notification.comment_annotation.update": "{actionUser} hat eine Diskussion in {document} geändert",
    "notification.comment.digest": "{count} Neuigkeiten in Diskussionen, zuletzt von {actionUser}",
    "notification.comment.digest_of_one": "Neues in einer Diskussion von {actionUser}",
  },
  error: createErrorText({
    OFFLINE: "Keine Verbindung.",
    UNAVAILABLE: "Der Dienst ist vorübergehend nicht erreichbar.",
    RESOURCE_EXHAUSTED: "Zu viele Anfragen. Bitte kurz warten.",
    UNAUTHENTICATED: "Bitte erneut anmelden.",
    PERMISSION_DENIED: "Keine Berechtigung.",
    NOT_FOUND: "Nicht mehr vorhanden.",
    other: "Das hat nicht funktioniert.",
  }),
};
