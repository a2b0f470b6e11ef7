/** Where tokens of connected apps are accepted, and nowhere else (RFC 8707). */
export function mcpResource(publicUrl: string): string {
  return `${publicUrl}/v1/mcp`;
}

/** Whether an app means this resource; `/mcp` is the same endpoint. */
export function isOwnResource(asked: string, publicUrl: string): boolean {
  if (!URL.canParse(asked)) return false;
  const { href } = new URL(asked);
  return [mcpResource(publicUrl), `${publicUrl}/mcp`].some((own) => {
    const known = new URL(own).href;
    return href === known || href === `${known}/`;
  });
}
