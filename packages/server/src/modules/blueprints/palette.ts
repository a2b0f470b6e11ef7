const colors: ReadonlySet<unknown> = new Set(
  'blue turquoise orange purple pink yellow green red gold silver paleBlue darkGray lightGray bronze lime olive brown'.split(
    ' ',
  ),
);

/** Whether it is one of the 17 colours (api contract §3.1.2). */
export function isColor(color: unknown): boolean {
  return colors.has(color);
}
