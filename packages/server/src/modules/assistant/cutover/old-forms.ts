const router = /\/agent\/invoke\/?(?:[?#]|$)/;
const agentPath = /\/agent\/[^/?#]+\/invoke\/?(?:[?#]|$)/;

/**
 * Whether an address that an automation calls will be answered differently, or not at all, after the cutover: the
 * router, and agents without `stream=true` and `use_mcp=true`. Reads templates too, as far as they are written out.
 */
export function isOldForm(url: string): boolean {
  if (router.test(url)) return true;
  if (!agentPath.test(url)) return false;
  const query = url.split('?')[1]?.split('#')[0] ?? '';
  const sent = (name: RegExp) => query.split('&').some((pair) => name.test(pair));
  return !sent(/^stream=(true|1|yes)$/i) || !sent(/^use_?mcp=(true|1|yes)$/i);
}
