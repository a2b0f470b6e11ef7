/** Concurrent deliveries of this process, per receiver and per organization. */
const perReceiver = 8;
const perOrganization = 24;
/** Delay added per round of waiting deliveries. */
const stepMs = 100;
const waitMaxMs = 30_000;

/** A free slot, or how long to wait before the next attempt. */
export type Place = { readonly leave: () => void } | { readonly waitMs: number };

/** Keeps slow receivers, and organizations with many deliveries, from blocking others. */
export interface ReceiverPlaces {
  take(orgId: string, receiver: string): Place;
}

interface ReceiverSlots {
  places: number;
  waiting: number;
}

export function createReceiverPlaces(): ReceiverPlaces {
  const taken = new Map<string, ReceiverSlots>();
  const entryOf = (key: string): ReceiverSlots => {
    const known = taken.get(key);
    if (known) return known;
    const entry = { places: 0, waiting: 0 };
    taken.set(key, entry);
    return entry;
  };
  const leave = (key: string, entry: ReceiverSlots): void => {
    entry.places -= 1;
    if (entry.places === 0) taken.delete(key);
  };
  return {
    take(orgId, receiver) {
      const organizationKey = JSON.stringify([orgId]);
      const receiverKey = JSON.stringify([orgId, receiver]);
      const organization = entryOf(organizationKey);
      const one = entryOf(receiverKey);
      const full = one.places >= perReceiver ? one : organization.places >= perOrganization ? organization : undefined;
      if (full) {
        if (one.places === 0) taken.delete(receiverKey);
        full.waiting += 1;
        return { waitMs: Math.min(waitMaxMs, stepMs * Math.ceil(full.waiting / perReceiver)) };
      }
      for (const entry of [organization, one]) {
        entry.places += 1;
        entry.waiting = Math.max(0, entry.waiting - 1);
      }
      let hasLeft = false;
      return {
        leave: () => {
          if (hasLeft) return;
          hasLeft = true;
          leave(receiverKey, one);
          leave(organizationKey, organization);
        },
      };
    },
  };
}
