/** Returns the class of a component with the one that its props add. */
export function classNames(own: string, added: string | undefined): string {
  return added ? `${own} ${added}` : own;
}
