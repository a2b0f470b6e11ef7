/**
 * Every error code of the API with the status that belongs to it. The code is for programs and never changes its
 * meaning; `retry` says whether the same request may succeed later without a change by the caller.
 *
 * `invalid_request` is the one code with two statuses: 422, and 400 on the AI routes (docs/decisions/0006).
 */
export const errorCodes = {
  invalid_json: { status: 400, retry: false, title: 'The body is not valid JSON' },
  invalid_request: { status: 422, retry: false, title: 'The request does not match the operation' },
  conflicting_fields: { status: 400, retry: false, title: 'Two fields of one meaning differ' },
  LLMProviderInvalidConfigError: { status: 400, retry: false, title: 'The configuration does not fit the provider' },
  LLMProviderModelNotEnabledError: { status: 400, retry: false, title: 'The model is not enabled' },
  LLMProviderModelTestError: { status: 400, retry: false, title: 'A model did not answer the test' },
  unauthorized: { status: 401, retry: false, title: 'No valid token' },
  csrf_token_invalid: { status: 403, retry: false, title: 'The request does not prove that it comes from the portal' },
  sign_in_refused: { status: 403, retry: false, title: 'The identity provider or a rule refused the sign-in' },
  missing_permissions: { status: 403, retry: false, title: 'The caller lacks a permission' },
  insufficient_scope: { status: 403, retry: false, title: 'The token is restricted to other things' },
  llm_provider_manage_forbidden: { status: 403, retry: false, title: 'Only administrators manage model providers' },
  ai_not_allowed: { status: 403, retry: false, title: 'The caller may not use the assistant' },
  not_found: { status: 404, retry: false, title: 'No such thing, or none that the caller may see' },
  LLMProviderNotFoundError: { status: 404, retry: false, title: 'No such model provider is connected' },
  ai_not_enabled: { status: 404, retry: false, title: 'The assistant is not enabled for the organization yet' },
  identifier_taken: { status: 409, retry: false, title: 'The identifier is in use' },
  has_dependents: { status: 409, retry: false, title: 'Other things depend on it' },
  last_administrator: { status: 409, retry: false, title: 'Nobody else could administer the organization' },
  user_limit_reached: { status: 409, retry: false, title: 'All seats of the organization are taken' },
  SCIM_CONFLICT: { status: 409, retry: false, title: 'The identity provider manages this over SCIM' },
  stale_version: { status: 409, retry: true, title: 'It changed since it was read' },
  version_changed: { status: 409, retry: false, title: 'The workflow is at another version' },
  credential_in_use: { status: 409, retry: false, title: 'The request was made with this credential' },
  last_admin_credential: { status: 409, retry: false, title: 'No other credential could administrate' },
  limit_reached: { status: 409, retry: false, title: 'There are as many of these as there may be' },
  idempotency_key_reused: { status: 409, retry: false, title: 'The key was used for another request' },
  conversation_busy: { status: 409, retry: true, title: 'A turn of the conversation is being answered' },
  conversation_full: { status: 409, retry: false, title: 'The conversation has as many turns as it may have' },
  draft_changed: { status: 409, retry: false, title: 'The draft is not what was decided on' },
  draft_expired: { status: 409, retry: false, title: 'The draft has expired' },
  not_replayable: { status: 409, retry: false, title: 'The delivery cannot be mapped again' },
  wipe_refused: { status: 422, retry: false, title: 'These entities are not deleted all at once' },
  deletion_needs_confirmation: { status: 409, retry: false, title: 'The deletion waits for an administrator' },
  migration_in_progress: { status: 409, retry: true, title: 'A migration is at work there' },
  not_undoable: { status: 409, retry: false, title: 'It cannot be undone' },
  import_ended: { status: 409, retry: false, title: 'The import has ended' },
  import_out_of_step: { status: 409, retry: false, title: 'The import goes on after another line' },
  sync_in_progress: { status: 409, retry: true, title: 'The source is being read' },
  trigger_unpublished: { status: 409, retry: false, title: 'The trigger is not published' },
  trigger_paused: { status: 409, retry: false, title: 'The trigger is paused' },
  workflow_run_ended: { status: 409, retry: false, title: 'The run of the workflow has ended' },
  workflow_run_open: { status: 409, retry: false, title: 'The run of the workflow has not ended' },
  nothing_to_compensate: { status: 409, retry: false, title: 'The run has no failed compensation' },
  acknowledgement_needed: { status: 409, retry: false, title: 'Steps that would be repeated are not acknowledged' },
  node_run_ended: { status: 409, retry: false, title: 'The step has ended' },
  already_responded: { status: 409, retry: false, title: 'The caller has responded already' },
  run_acknowledged: { status: 409, retry: false, title: 'Another executor has taken the run' },
  agent_inactive: { status: 409, retry: false, title: 'The agent is not active' },
  memory_off: { status: 409, retry: false, title: 'Notes for the assistant are off' },
  agent_schema_outdated: { status: 409, retry: false, title: 'The agent was not brought to the new schema' },
  cutover_blocked: { status: 409, retry: false, title: 'Old forms are still in use' },
  already_on_new_model: { status: 409, retry: false, title: 'Users and teams are blueprints already' },
  not_migrated: { status: 409, retry: false, title: 'Users and teams are no blueprints yet' },
  migration_blocked: { status: 422, retry: false, title: 'Something has to be decided before the migration' },
  no_agent_available: { status: 404, retry: false, title: 'There is no active agent that the caller may see' },
  no_agent_match: { status: 404, retry: false, title: 'No agent fits the question' },
  endpoint_removed: { status: 410, retry: false, title: 'The endpoint was removed' },
  payload_too_large: { status: 413, retry: false, title: 'The body is too large' },
  unsupported_media_type: { status: 415, retry: false, title: 'The body is not JSON' },
  invalid_workflow: { status: 422, retry: false, title: 'The workflow breaks a rule' },
  history_not_kept: { status: 422, retry: false, title: 'The journal does not reach back that far' },
  run_ended: { status: 422, retry: false, title: 'The run has ended' },
  ownership_not_direct: { status: 422, retry: false, title: 'The blueprint does not own its teams directly' },
  managed_field: { status: 422, retry: false, title: 'The platform alone writes this field' },
  too_many_requests: { status: 429, retry: true, title: 'Too many requests' },
  ai_rate_limited: { status: 429, retry: true, title: 'The hourly limit of the assistant is reached' },
  ai_budget_exceeded: { status: 429, retry: true, title: 'A budget of the assistant is used up' },
  ai_quota_exceeded: { status: 429, retry: true, title: 'The monthly quota of the assistant is used up' },
  internal_error: { status: 500, retry: true, title: 'Something failed inside' },
  not_implemented: { status: 501, retry: false, title: 'Not built' },
  sso_provider_unavailable: { status: 502, retry: true, title: 'The identity provider failed' },
  llm_provider_unavailable: { status: 502, retry: true, title: 'The model provider failed' },
  llm_provider_refused: { status: 502, retry: false, title: 'The model provider refused the request' },
  mcp_server_failed: { status: 502, retry: true, title: 'A connected MCP server failed' },
  approval_required: { status: 409, retry: false, title: 'Nothing may run here without a person' },
  service_unavailable: { status: 503, retry: true, title: 'Not ready to serve' },
  llm_provider_timeout: { status: 504, retry: true, title: 'The model did not answer in time' },
  invocation_cancelled: { status: 409, retry: false, title: 'The invocation was cancelled' },
  invocation_interrupted: { status: 500, retry: true, title: 'The process that ran the invocation ended' },
  invocation_limit_reached: { status: 422, retry: false, title: 'The invocation reached a limit of its own' },
} as const satisfies Record<string, { status: number; retry: boolean; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** A problem and its place: a JSON pointer into body, query or path parameters. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Used in error answers, in the `error` event of streams and for a job's last failure. */
export interface ErrorBody {
  readonly ok: false;
  readonly error: ErrorCode;
  readonly message: string;
  readonly details?: readonly Issue[] | Readonly<Record<string, unknown>>;
}
