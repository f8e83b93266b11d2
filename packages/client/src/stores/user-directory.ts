/** What a page shows of a user. */
export interface UserProfile {
  userId: string;
  name?: string | undefined;
  /** URL of a picture. */
  photoUrl?: string | undefined;
  /** Text that tells users of the same name apart, such as a team or an address. */
  description?: string | undefined;
  /** IDs of the members, if this is a group of users that the service does not know: a mention of it mentions them. */
  memberIds?: string[] | undefined;
  /** Whether `userId` is the ID of a user group: a mention of it mentions those who are its members then. */
  isGroup?: boolean | undefined;
}

/** Functions of a product that know its users. */
export interface UserDirectory {
  /** Returns the profiles of users, in any order. Those that it leaves out are shown with the names in records. */
  resolveUsers?: ((userIds: string[]) => UserProfile[] | Promise<UserProfile[]>) | undefined;
  /**
   * Returns users and groups to mention whose names match a text, the best matches first. Without it, they are those
   * that the service knows: users with access to the document, or of the organization, and user groups.
   */
  searchUsers?: ((text: string, options: UserSearchOptions) => UserProfile[] | Promise<UserProfile[]>) | undefined;
}

/** Options of a search for users. */
export interface UserSearchOptions {
  /** Document in which a user is to be mentioned. */
  documentId?: string | undefined;
}
