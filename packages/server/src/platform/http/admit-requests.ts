import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admission, AdmissionRequest, Leave } from '../admission/admission.ts';
import { AppError } from '../errors.ts';
import { createGrowingCache } from '../growing-cache.ts';
import { actorOfRequest } from './request-actor.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The class of the route; `free` for routes that need no database, or say how it is. `interactive` unless set. */
    workClass?: AdmissionRequest['workClass'] | 'free';
    /** The body may take as long as it likes, if it goes on. */
    readsBodyStream?: true;
  }
}

export interface AdmitOptions {
  readonly admission: Admission;
  /** Whether the request comes from our own job, which holds a place already. */
  readonly isOwn: (authorization: string | undefined) => boolean;
}

/** Callers, and addresses of events, whose lines are cached. */
const callersMax = 10_000;
/** The line of callers seen for the first time: authentication happens after admission. */
const strangers = '';

const placeKey = Symbol('place');
interface Place {
  readonly leave: Leave;
  /** Set when work has begun; it then goes on although the caller left. */
  hasBegun: boolean;
}
type AdmittedRequest = FastifyRequest & { [placeKey]?: Place | undefined };

/**
 * Lets requests in by their class before anything is done for them, their authentication included. A place is given back
 * when the answer is ready, for a streamed one when it was written, or when the caller left before the work began.
 */
export function admitRequests(app: FastifyInstance, { admission, isOwn }: AdmitOptions): void {
  const lines = createGrowingCache<string>(callersMax);
  /** Of their own, because whoever sends events is nobody: they neither push callers out nor take their lines. */
  const addresses = createGrowingCache<string>(callersMax);
  const findLine = (request: FastifyRequest): string =>
    (takesEvents(request) ? addresses.get(addressKey(request)) : lines.get(callerKey(request))) ?? strangers;
  app.decorateRequest(placeKey, undefined);

  app.addHook('onRequest', (request, reply, done) => {
    const workClass = request.routeOptions.config.workClass ?? 'interactive';
    if (workClass === 'free' || request.is404 || isOwn(request.headers.authorization)) return done();
    const { raw } = reply;
    const gone = (): void => {
      giveUp();
      const place = (request as AdmittedRequest)[placeKey];
      if (place && !place.hasBegun) place.leave();
    };
    raw.once('close', gone);
    let giveUp = (): void => undefined;
    giveUp = admission.ask({ workClass, line: findLine(request) }, (outcome) => {
      if (outcome instanceof AppError) return done(outcome);
      (request as AdmittedRequest)[placeKey] = { leave: outcome, hasBegun: false };
      done();
    });
  });

  app.addHook('preHandler', (request, _reply, done) => {
    const place = (request as AdmittedRequest)[placeKey];
    if (place) place.hasBegun = true;
    const orgId = actorOfRequest(request)?.orgId;
    if (orgId !== undefined) lines.set(callerKey(request), orgId);
    done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    // an address that took an event has a line of its own from then on
    if (takesEvents(request) && reply.statusCode < 300) {
      const address = addressKey(request);
      addresses.set(address, address);
    }
    if (isStream(payload)) payload.once('close', () => leavePlace(request));
    else leavePlace(request);
    done();
  });
}

/** Gives the place back early, for an answer that goes on without using the database. */
export function leavePlace(request: FastifyRequest): void {
  (request as AdmittedRequest)[placeKey]?.leave();
}

function takesEvents(request: FastifyRequest): boolean {
  return request.routeOptions.config.workClass === 'events';
}

/** The same however the address is spelled, and whatever headers are sent along: those would make as many lines. */
function addressKey({ routeOptions, params }: FastifyRequest): string {
  return JSON.stringify([routeOptions.url, params]);
}

/** The credential a caller sends with each request; else the path. */
function callerKey({ headers, url }: FastifyRequest): string {
  return headers.authorization ?? headers.cookie ?? url.split('?', 1)[0] ?? url;
}

function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof (payload as { readonly pipe?: unknown } | null)?.pipe === 'function';
}
