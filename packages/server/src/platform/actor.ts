import type { ClientKind } from './client-kind.ts';
import { createSecretScope, type SecretScope } from './secrets/secret-scope.ts';

/** Who acts. Built by `identity` from a token, carried through every use case, tool and job; never widened. */
export interface Actor {
  readonly orgId: string;
  /** How the organization shows teams: by title in `legacy` and `beta` values, by identifier in `blueprints`. */
  readonly model: 'legacy' | 'beta' | 'blueprints';
  readonly kind: 'machine' | 'person' | 'system';
  /** What `createdBy` and `updatedBy` show: a client id, a user's identifier, or `system`. */
  readonly id: string;
  /** The identifier of the person's `_user` entity; absent for machines. */
  readonly userId?: string;
  /** `Admin`, `Member`, and `<blueprint>-moderator` for each moderated blueprint. */
  readonly roles: readonly string[];
  /** Surrogate keys of the teams the person belongs to. */
  readonly teamKeys: readonly string[];
  /** The credential or API token that the request was made with; absent where none was needed. */
  readonly credentialId?: string;
  /** Why they may do less than their credential, as a sentence for whoever is refused. */
  readonly limitedBy?: string;
  /** What the credential is restricted to; absent without restriction. Checked where requests and tool calls come in. */
  readonly scopes?: readonly string[];
  /** Set while the word of the organization's identity provider is carried out: it may change what the provider manages. */
  readonly provisioner?: 'sso' | 'scim';
  /** The `User-Agent` of the request: becomes `$datasource` of what it writes. */
  readonly datasource: string;
  /** The action run on whose behalf the request was made (`run_id`); the journal notes it with what is written. */
  readonly runId?: string;
  /** The webhook, and its delivery, that the platform acts for; the journal notes both. */
  readonly webhook?: { readonly identifier: string; readonly deliveryId: string };
  /** The kind of client that is tried, where a person tries a mapping; otherwise it is told by the rest. */
  readonly writesAs?: ClientKind;
  /** Whose authority it is, where something that they saved acts later in another's name: a run, a webhook. */
  readonly standsBehind?: { readonly kind: Actor['kind']; readonly id: string };
  /** How many runs, each started by the one before, led to the request; absent where a person or program began. */
  readonly depth?: number;
  /** It writes a large amount: what people wait for goes first, at each of its statements. */
  readonly givesWay?: boolean;
  readonly origin: 'API' | 'UI' | 'MCP' | 'AI' | 'AUTOMATION' | 'MIGRATION' | 'SYSTEM';
  /** The secrets that were opened for what the actor does here; whatever that leaves behind is masked by them. */
  readonly opened?: SecretScope;
}

/** Where secrets that are opened for the actor are noted. */
export function openedFor(actor: Actor): SecretScope {
  return actor.opened ?? createSecretScope();
}

export function isAdmin(actor: Actor): boolean {
  return actor.roles.includes('Admin');
}

/** The platform acting for itself within one organization: its writes pass the rules that bind people. */
export function systemActor(orgId: string, model: Actor['model'] = 'blueprints'): Actor {
  return {
    orgId,
    model,
    kind: 'system',
    id: 'portolan',
    roles: ['Admin'],
    teamKeys: [],
    datasource: 'portolan',
    origin: 'SYSTEM',
  };
}
