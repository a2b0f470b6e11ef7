interface FindableAction {
  readonly identifier: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly trigger: unknown;
}

/** Whether an action matches the filters of the hub: every word must occur in its texts. */
export function fits(
  { identifier, title = '', description = '', trigger }: FindableAction,
  {
    words,
    operation,
    blueprint,
  }: { readonly words: string; readonly operation?: string | undefined; readonly blueprint?: string | undefined },
): boolean {
  const form = trigger as { readonly operation?: string; readonly blueprintIdentifier?: string | null };
  const text = [identifier, title, description, form.blueprintIdentifier ?? ''].join('\n').toLowerCase();
  return (
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    (operation === undefined || form.operation === operation) &&
    (blueprint === undefined || form.blueprintIdentifier === blueprint)
  );
}
