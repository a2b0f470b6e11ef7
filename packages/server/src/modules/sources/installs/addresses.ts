import { isThisMachine } from '../../../platform/http/this-machine.ts';

/** Where a client runs, as far as it matters for reaching this server. */
export type Place = 'container' | 'cluster' | 'pipeline';

export interface Reachable {
  readonly url: string;
  /** A flag that a container needs to reach the address. */
  readonly hostFlag?: string;
  readonly warning: string | null;
}

const containerHost = 'host.docker.internal';

/** The address of this server as a client sees it that runs there. */
export function reachableFrom(place: Place, publicUrl: string): Reachable {
  const url = new URL(publicUrl);
  if (!isThisMachine(url)) return { url: publicUrl, warning: null };
  if (place === 'container') {
    const { hostname } = url;
    return {
      url: publicUrl.replace(hostname, containerHost),
      hostFlag: `--add-host=${containerHost}:host-gateway`,
      warning: `${hostname} is this machine alone: the container reaches it only if the server listens on all addresses (HOST=0.0.0.0)`,
    };
  }
  const who = place === 'cluster' ? 'A cluster' : 'A pipeline';
  return {
    url: publicUrl,
    warning: `${who} cannot reach ${url.hostname}: set PORTOLAN_PUBLIC_URL to an address that it reaches`,
  };
}
