/** What answers and requests carry: how far the database had come, so that standbys are read only as far on as that. */
export const positionHeader = 'x-portolan-position';
/** In place of a position: reads with it are answered by the primary, and say how far that is. */
export const latestPosition = 'latest';

/** Where positions are kept beside the client, for others of the same person. */
export interface PositionStore {
  read(): string | undefined;
  keep(position: string): void;
}

/**
 * The largest position that a client has seen. Its reads never show less than it has written, read or been told of, as
 * long as it sends this with every request.
 */
export interface Positions {
  /** What to send, and what to tell of its answer. */
  begin(): { readonly sent: string; answered(position: string | null): void };
  /** Something has changed at a position that is not known: reads that begin from now on see it. */
  miss(): void;
}

export function createPositions(store?: PositionStore): Positions {
  // what was before the client began is not known either
  let seen: string | undefined;
  let isMissing = true;
  let misses = 0;

  const latestSeen = (): string | undefined => {
    const kept = store?.read();
    return kept !== undefined && isLaterPosition(kept, seen) ? kept : seen;
  };

  const miss = (): void => {
    misses += 1;
    isMissing = true;
  };

  return {
    miss,
    begin() {
      const known = isMissing ? undefined : latestSeen();
      const [sent, missed] = [known ?? latestPosition, misses];
      return {
        sent,
        answered(position) {
          if (position === null) return;
          if (position === latestPosition) return miss();
          if (!readParts(position)) return;
          // an answer never names less than was asked for: a database that does is another one
          if (sent !== latestPosition && isLaterPosition(sent, position)) seen = position;
          else if (isLaterPosition(position, seen)) seen = position;
          else return;
          store?.keep(seen);
          // asked before, it may have been answered before
          if (missed === misses) isMissing = false;
        },
      };
    },
  };
}

/** Whether a position is later than the other; what is no position is earlier than all. */
function isLaterPosition(position: string, than: string | undefined): boolean {
  const [one, other] = [readParts(position), than === undefined ? undefined : readParts(than)];
  if (!one || !other) return one !== undefined;
  const place = one.findIndex((part, index) => part !== other[index]);
  return place >= 0 && (one[place] ?? 0) > (other[place] ?? 0);
}

function readParts(position: string): number[] | undefined {
  const [, timeline, high, low] = /^(\d{1,10}):([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(position) ?? [];
  if (!timeline || !high || !low) return undefined;
  return [Number(timeline), Number.parseInt(high, 16), Number.parseInt(low, 16)];
}
