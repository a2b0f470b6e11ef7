import type { ActionsDeps, ReceiverPlaces } from '../../actions/index.ts';

/** What nodes need to be carried out. */
export interface NodesDeps
  extends Pick<
    ActionsDeps,
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
  > {
  /** How many calls one receiver gets at a time. */
  readonly places: ReceiverPlaces;
}
