const router = /\/agent\/invoke\/?(?:[?#]|$)/;
const agentPath = /\/agent\/[^/?#]+\/invoke\/?(?:[?#]|$)/;

/**
 * Whether the cutover changes or removes what an automation's address calls: the router, and agents without
 * `stream=true` and `use_mcp=true`. Templates are read as far as they are literal.
 */
export function isOldForm(url: string): boolean {
  if (router.test(url)) return true;
  if (!agentPath.test(url)) return false;
  const query = url.split('?')[1]?.split('#')[0] ?? '';
  const sent = (name: RegExp) => query.split('&').some((pair) => name.test(pair));
  return !sent(/^stream=(true|1|yes)$/i) || !sent(/^use_?mcp=(true|1|yes)$/i);
}
