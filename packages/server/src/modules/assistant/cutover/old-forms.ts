const router = /\/agent\/invoke\/?(?:[?#]|$)/;
const agentPath = /\/agent\/[^/?#]+\/invoke\/?(?:[?#]|$)/;

/**
 * True if the cutover changes or removes the endpoint that an automation's address calls: the router, and agents
 * without `stream=true` and `use_mcp=true`. Only literal parts of templates are read.
 */
export function isOldForm(url: string): boolean {
  if (router.test(url)) return true;
  if (!agentPath.test(url)) return false;
  const query = url.split('?')[1]?.split('#')[0] ?? '';
  const sent = (name: RegExp) => query.split('&').some((pair) => name.test(pair));
  return !sent(/^stream=(true|1|yes)$/i) || !sent(/^use_?mcp=(true|1|yes)$/i);
}
