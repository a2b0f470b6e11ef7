import type { ReceiverPlaces, StartDeps } from '../../actions/index.ts';
import type { LiveFeed } from '../../journal/index.ts';

/** What nodes need to be carried out. */
export interface NodesDeps
  extends Pick<
    StartDeps,
    | 'database'
    | 'clock'
    | 'unitOfWork'
    | 'outgoing'
    | 'ownApi'
    | 'broker'
    | 'mailer'
    | 'catalog'
    | 'secrets'
    | 'publicUrl'
    | 'checkValues'
    | 'keptDays'
    | 'dispatch'
  > {
  /** How many calls one receiver gets at a time. */
  readonly places: ReceiverPlaces;
  readonly feed: Pick<LiveFeed, 'announce'>;
}
