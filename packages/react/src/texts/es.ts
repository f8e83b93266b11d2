import { createErrorText, createPlural, describeLanguage } from "../language.ts";
import type { LanguageTexts } from "../language-texts.ts";

const plural = createPlural<"one">("es");

/** Spanish texts. */
export const spanish: LanguageTexts = {
  ...describeLanguage("es"),
  loading: "Cargando…",
  tryAgain: "Reintentar",
  showMore: "Mostrar más",
  deletedUser: "Usuario eliminado",
  avatars: "En este documento",
  away: (name) => `${name} (ausente)`,
  moreUsers: (count) => plural(count, { one: "# más", other: "# más" }),
  activity: "Actividad",
  noActivity: "Aún no hay actividad.",
  inbox: "Bandeja de entrada",
  notifications: "Notificaciones",
  inboxEmpty: "No hay notificaciones.",
  unread: (count) => plural(count, { one: "# sin leer", other: "# sin leer" }),
  markRead: "Marcar como leída",
  markReadOf: (headline) => `Marcar como leída: ${headline}`,
  markAllRead: "Marcar todas como leídas",
  threadOf: (name) => `Conversación iniciada por ${name}`,
  reactions: "Reacciones",
  reply: "Responder",
  send: "Enviar",
  resolve: "Resolver",
  resolved: "Resuelta",
  reopen: "Reabrir",
  edit: "Editar",
  editedByModerator: "Editado por un moderador",
  cancel: "Cancelar",
  save: "Guardar",
  delete: "Eliminar",
  confirmDelete: "¿Eliminar este comentario?",
  messages: {
    "activity.comment_annotation.add": "{{user}} inició una conversación",
    "activity.comment.add": "{{user}} comentó",
    "activity.comment.delete": "{{user}} eliminó un comentario",
    "activity.comment_annotation.delete": "{{user}} eliminó una conversación",
    "activity.comment_annotation.resolve": "{{user}} resolvió una conversación",
    "activity.comment_annotation.status_change": "{{user}} cambió el estado de una conversación",
    "activity.comment_annotation.assign": "{{user}} asignó una conversación",
    "activity.comment_annotation.priority_change": "{{user}} cambió la prioridad de una conversación",
    "notification.comment_annotation.add": "{actionUser} inició una conversación",
    "notification.comment.add": "{actionUser} comentó",
    "notification.comment.mention": "{actionUser} te mencionó",
    "notification.comment_annotation.resolve": "{actionUser} resolvió una conversación en {document}: {status}",
    "notification.comment_annotation.status_change":
      "{actionUser} cambió el estado de una conversación en {document}: {status}",
    "notification.comment_annotation.assign": "{actionUser} asignó una conversación en {document} a {assignee}",
    "notification.comment_annotation.unassign": "{actionUser} quitó la asignación de una conversación en {document}",
    "notification.comment_annotation.priority_change":
      "{actionUser} cambió la prioridad de una conversación en {document}: {priority}",
    "notification.comment_annotation.unnamed_priority":
      "{actionUser} cambió la prioridad de una conversación en {document}",
    "notification.comment_annotation.priority_remove":
      "{actionUser} quitó la prioridad de una conversación en {document}",
    "notification.comment_annotation.update": "{actionUser} modificó una conversación en {document}",
    "notification.comment.digest": "{count} novedades en conversaciones, la última de {actionUser}",
    "notification.comment.digest_of_one": "Una novedad de {actionUser} en una conversación",
  },
  error: createErrorText({
    OFFLINE: "Sin conexión.",
    UNAVAILABLE: "El servicio no está disponible en este momento.",
    RESOURCE_EXHAUSTED: "Demasiadas solicitudes. Espera un momento.",
    UNAUTHENTICATED: "Vuelve a iniciar sesión.",
    PERMISSION_DENIED: "No tienes permiso.",
    NOT_FOUND: "Ya no existe.",
    other: "Se ha producido un error.",
  }),
};
