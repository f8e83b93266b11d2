import { createErrorText, createPlural, describeLanguage } from "../language.ts";
import type { LanguageTexts } from "../language-texts.ts";

const plural = createPlural<"one">("fr");

/** French texts. */
export const french: LanguageTexts = {
  ...describeLanguage("fr"),
  loading: "Chargement…",
  tryAgain: "Réessayer",
  showMore: "Afficher plus",
  deletedUser: "Utilisateur supprimé",
  avatars: "Dans ce document",
  away: (name) => `${name} (absent)`,
  moreUsers: (count) => plural(count, { one: "# autre personne", other: "# autres personnes" }),
  activity: "Activité",
  noActivity: "Aucune activité pour l’instant.",
  inbox: "Boîte de réception",
  notifications: "Notifications",
  inboxEmpty: "Aucune notification.",
  unread: (count) => plural(count, { one: "# non lue", other: "# non lues" }),
  markRead: "Marquer comme lue",
  markReadOf: (headline) => `Marquer comme lue : ${headline}`,
  markAllRead: "Tout marquer comme lu",
  threadOf: (name) => `Discussion ouverte par ${name}`,
  reactions: "Réactions",
  reply: "Répondre",
  send: "Envoyer",
  resolve: "Résoudre",
  resolved: "Résolue",
  reopen: "Rouvrir",
  edit: "Modifier",
  editedByModerator: "Modifié par un modérateur",
  cancel: "Annuler",
  save: "Enregistrer",
  delete: "Supprimer",
  confirmDelete: "Supprimer ce commentaire ?",
  messages: {
    "activity.comment_annotation.add": "{{user}} a ouvert une discussion",
    "activity.comment.add": "{{user}} a commenté",
    "activity.comment.delete": "{{user}} a supprimé un commentaire",
    "activity.comment_annotation.delete": "{{user}} a supprimé une discussion",
    "activity.comment_annotation.resolve": "{{user}} a résolu une discussion",
    "activity.comment_annotation.status_change": "{{user}} a changé le statut d’une discussion",
    "activity.comment_annotation.assign": "{{user}} a attribué une discussion",
    "activity.comment_annotation.priority_change": "{{user}} a changé la priorité d’une discussion",
    "notification.comment_annotation.add": "{actionUser} a ouvert une discussion",
    "notification.comment.add": "{actionUser} a commenté",
    "notification.comment.mention": "{actionUser} vous a mentionné",
    "notification.comment_annotation.resolve": "{actionUser} a résolu une discussion dans {document} : {status}",
    "notification.comment_annotation.status_change":
      "{actionUser} a changé le statut d’une discussion dans {document} : {status}",
    "notification.comment_annotation.assign": "{actionUser} a attribué une discussion dans {document} à {assignee}",
    "notification.comment_annotation.unassign": "{actionUser} a retiré l’attribution d’une discussion dans {document}",
    "notification.comment_annotation.priority_change":
      "{actionUser} a changé la priorité d’une discussion dans {document} : {priority}",
    "notification.comment_annotation.unnamed_priority":
      "{actionUser} a changé la priorité d’une discussion dans {document}",
    "notification.comment_annotation.priority_remove":
      "{actionUser} a retiré la priorité d’une discussion dans {document}",
    "notification.comment_annotation.update": "{actionUser} a modifié une discussion dans {document}",
    "notification.comment.digest": "{count} nouveautés dans des discussions, la dernière de {actionUser}",
    "notification.comment.digest_of_one": "Du nouveau de {actionUser} dans une discussion",
  },
  error: createErrorText({
    OFFLINE: "Pas de connexion.",
    UNAVAILABLE: "Le service est momentanément indisponible.",
    RESOURCE_EXHAUSTED: "Trop de requêtes. Patientez un instant.",
    UNAUTHENTICATED: "Reconnectez-vous.",
    PERMISSION_DENIED: "Vous n’avez pas l’autorisation.",
    NOT_FOUND: "Cet élément n’existe plus.",
    other: "Une erreur est survenue.",
  }),
};
