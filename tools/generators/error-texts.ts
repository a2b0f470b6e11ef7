import type { ErrorCode } from '@portolan/contract/errors';

interface ErrorText {
  /** When the platform answers so, and what has and has not happened. */
  readonly meaning: string;
  /** The next step of the person or program that got it. */
  readonly remedy: string;
}

/** The texts of the error pages. A new code does not compile until it has its text here. */
export const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  invalid_json: {
    meaning:
      'The body could not be parsed as JSON, or holds a member name that is not allowed. Nothing was read from it.',
    remedy: 'Send valid JSON with `Content-Type: application/json`. `details` names the place when it is known.',
  },
  invalid_request: {
    meaning:
      'The request was understood as JSON but does not match the operation or the blueprint. `details` lists every problem with its path, not only the first. Nothing was changed.',
    remedy:
      'Correct every listed path. The status is 422, and 400 on the AI routes; the operation in the API reference says which fields exist.',
  },
  conflicting_fields: {
    meaning: 'Two fields that mean the same (for example `userPrompt` and `prompt`) were sent with different values.',
    remedy: 'Send one of them.',
  },
  unauthorized: {
    meaning: 'The token is missing, malformed, expired or revoked, or the client credentials are wrong.',
    remedy:
      'Get a new token from `POST /v1/auth/access_token` and send it as `Authorization: Bearer <token>`. Tokens last three hours.',
  },
  csrf_token_invalid: {
    meaning:
      'The request changes something and was made with a session cookie, but without the token of that session, or it came from another site. Nothing was changed.',
    remedy:
      'Send the `csrfToken` of `GET /v1/auth/me` as `X-CSRF-Token`. Programs send a bearer token, which needs none.',
  },
  sign_in_refused: {
    meaning:
      'Single sign-on did not end in a session: the answer of the identity provider could not be trusted or was used before, the attempt took too long, or the account may not sign in here.',
    remedy: 'Start the sign-in again. If it fails again, the message says what an administrator has to change.',
  },
  missing_permissions: {
    meaning: 'The caller is known but lacks the permission that the operation needs. Nothing was changed.',
    remedy: 'Ask an administrator for the permission, or call with credentials that have it.',
  },
  insufficient_scope: {
    meaning: 'The token is restricted to scopes, and what was asked needs another one. Nothing was changed.',
    remedy: 'Use a token whose scopes include the one that the message names, or one without restriction.',
  },
  ai_not_allowed: {
    meaning: 'The caller may use the catalog but not the assistant: the right to register invocations is missing.',
    remedy: 'An administrator can grant `register` on the blueprint `_ai_invocations` to a role, team or user.',
  },
  not_found: {
    meaning:
      'The thing does not exist, or the caller may not know that it does: the two are answered alike on purpose. `details` says what was looked up by which field.',
    remedy: 'Check the identifier and the organization of the token.',
  },
  ai_not_enabled: {
    meaning: 'The organization is at a stage before the new assistant, so its routes are not there yet.',
    remedy: 'Use the older route, or ask the operator of the installation to move the organization on.',
  },
  identifier_taken: {
    meaning: 'Another thing of the same kind has this identifier. It was not changed.',
    remedy: 'Choose another identifier, or use the operation that updates (for entities: `upsert=true`).',
  },
  has_dependents: {
    meaning: 'Other things require this one, for example entities with a required relation to it. Nothing was deleted.',
    remedy: 'Remove or change what depends on it first; `details` names it.',
  },
  migration_in_progress: {
    meaning:
      'Another migration reads or writes the same thing, and two at once would disturb each other. Teams are not written while users and teams move to blueprints.',
    remedy:
      'Wait until it ends, or cancel it, and send the request again; `details.migrationId` names it where it can be read.',
  },
  not_undoable: {
    meaning: 'The migration changed nothing that could be brought back, deleted things, or ended too long ago.',
    remedy: 'Write another migration that sets the values you want; the audit log has those of before.',
  },
  ownership_not_direct: {
    meaning: 'A mapping sets the teams of entities whose blueprint does not have ownership of type `Direct`.',
    remedy: 'Set `ownership` of the target blueprint to `{"type": "Direct"}`, or take `team` out of the mapping.',
  },
  last_administrator: {
    meaning: 'The change would leave nobody who can sign in and administer the organization. Nothing was changed.',
    remedy: 'Make another active user an administrator first.',
  },
  user_limit_reached: {
    meaning:
      'As many people are invited or active as the organization has seats. Staged and disabled people and service accounts take none. Nothing was changed.',
    remedy: 'Disable or remove a user, create the new one staged, or ask the operator for more seats.',
  },
  draft_changed: {
    meaning:
      'What would run is not what was decided on: the inputs, the entity or the action changed, or whoever asked for it lost the right. Nothing was run.',
    remedy: 'Read the draft again and decide on the hash that it has now.',
  },
  draft_expired: {
    meaning: 'Nobody decided on the draft in time. Nothing was run, and nothing will be.',
    remedy: 'Ask for the run again.',
  },
  not_replayable: {
    meaning: 'A delivery of a webhook can be mapped again only after it was let in and mapped once.',
    remedy: 'Wait until it is mapped, or let the sender send what was refused again.',
  },
  wipe_refused: {
    meaning:
      'All entities of a blueprint were to be deleted whose loss no organization survives: its users, its teams, or the ' +
      'record of what the assistant did.',
    remedy:
      'Delete users and teams one by one or up to 100 at a time; the message names the routes. Invocations are evidence ' +
      'and stay.',
  },
  deletion_needs_confirmation: {
    meaning:
      'An integration would delete more of its entities in one resync than its guard allows; nothing was deleted.',
    remedy: 'Look at the question of the guard; an administrator confirms it, or repairs what the integration reads.',
  },
  import_ended: {
    meaning:
      'The import is completed, failed, cancelled or undone, and takes no more lines. Nothing of the request was read.',
    remedy: 'Begin another import, without `import`. `GET /v1/imports/{import_id}` says how this one ended.',
  },
  import_out_of_step: {
    meaning:
      'The lines that were sent do not follow those that are stored: `details.lines` is the number of the last one. Nothing of the request was read.',
    remedy: 'Send the lines after `details.lines`, with that number as `after`.',
  },
  sync_in_progress: {
    meaning: 'The source is being read, and is read by one sync at a time. `details.sync` is its id.',
    remedy: 'Wait until that sync has ended, or cancel it.',
  },
  workflow_run_ended: {
    meaning: 'The run of the workflow has ended, so there is nothing to cancel.',
    remedy: 'Read the run for its result; start another one if the work is still needed.',
  },
  node_run_ended: {
    meaning: 'The step of the workflow has ended: by a report, a decision, a deadline or a cancellation.',
    remedy: 'Read the run; `details` says how and when the step ended. A response or report cannot change it any more.',
  },
  already_responded: {
    meaning: 'The caller has answered this form already, and everybody answers once.',
    remedy: 'Wait for the other people who may answer; the run shows how many are missing.',
  },
  run_acknowledged: {
    meaning: 'Another executor acknowledged the run first and executes it.',
    remedy: 'Leave the run alone and claim others.',
  },
  already_on_new_model: {
    meaning: 'Users and teams of the organization are blueprints already, so there is nothing to migrate.',
    remedy: 'Nothing. What the migration did is at `GET /v1/blueprints/system/users-and-teams-as-blueprints`.',
  },
  not_migrated: {
    meaning:
      'Users and teams of the organization are no blueprints yet, or no longer, so what is suggested for afterwards is not written. Nothing was changed.',
    remedy: 'Migrate first, with `POST /v1/blueprints/system/users-and-teams-as-blueprints`.',
  },
  migration_blocked: {
    meaning:
      'Something has to be decided before users and teams can be moved; `details` lists everything with its fix.',
    remedy: 'Follow the fixes, or decide with `PUT …/overrides`, and trigger the migration again.',
  },
  history_not_kept: {
    meaning:
      'What was is read from the journal, and it does not reach back to this moment, or not under this name of the blueprint.',
    remedy: 'Ask for a moment after `details.keptSince`.',
  },
  run_ended: {
    meaning: 'The run has a final status, or one that this change does not follow on. Nothing was changed.',
    remedy: 'Start another run.',
  },
  invalid_workflow: {
    meaning:
      'A workflow is refused by its shape or by a rule of its graph. `details` lists every fault at once, each with its path, the code of the rule and a sentence. Nothing was saved.',
    remedy: 'Correct every listed place; `POST /v1/workflows/validate` checks without saving.',
  },
  version_changed: {
    meaning:
      'Somebody saved another version of the workflow after the one that this change follows on. Nothing was overwritten.',
    remedy: 'Read it again, apply the change to what is there now, and send that.',
  },
  trigger_unpublished: {
    meaning: 'The trigger of the workflow is not published, so nobody can start a run by it.',
    remedy: 'Have an administrator publish it, or start the workflow by another trigger.',
  },
  trigger_paused: {
    meaning:
      'The trigger, its workflow or all workflows are paused, so nothing starts by it. `details` says since when, by whom and why.',
    remedy: 'Wait, or have an administrator resume it with `POST /v1/workflows/{identifier}/resume`.',
  },
  workflow_run_open: {
    meaning: 'The run of the workflow has not ended, and only runs that have ended are run again or undone again.',
    remedy: 'Wait until it ends, or cancel it first.',
  },
  nothing_to_compensate: {
    meaning:
      'Compensations of the run were to be repeated, and none can be: all succeeded, there were none, or a cancellation by force ended undoing for good. Nothing was changed.',
    remedy:
      'Read the run: `failedCompensations` names what can be repeated. What a forced cancellation left is undone by hand.',
  },
  acknowledgement_needed: {
    meaning:
      'The re-run would call others once more who were called before and for whom a second call may count twice. `details.nodes` names the steps. Nothing was started.',
    remedy: 'Look at the plan, and send the names of these steps in `acknowledge` if they may be repeated.',
  },
  SCIM_CONFLICT: {
    meaning:
      'The user is provisioned over SCIM, and the change is about what the identity provider manages. Nothing was changed.',
    remedy: 'Change it at the identity provider. Roles, and teams that were made here, can be changed here.',
  },
  stale_version: {
    meaning: 'It was changed by somebody else between reading and writing. Nothing was overwritten.',
    remedy: 'Read it again, apply the change to what is there now, and send that.',
  },
  credential_in_use: {
    meaning: 'The request would have ended or restricted the very credential it was made with. Nothing was changed.',
    remedy: 'Make the same request with another credential.',
  },
  last_admin_credential: {
    meaning:
      'No other unrestricted credential of the organization has the role Admin, so nobody could undo the change. Nothing was changed.',
    remedy: 'Create another one with `POST /v1/apps` first.',
  },
  limit_reached: {
    meaning: 'The organization, or the person, has as many of these as there may be. Nothing was created.',
    remedy: 'Delete some that are not used any more; the lists say when each was last used.',
  },
  idempotency_key_reused: {
    meaning:
      'The `Idempotency-Key` came with a different request before. The earlier request stands, this one was not run.',
    remedy: 'Use a new key for every new request; repeat a key only with exactly the same body.',
  },
  conversation_busy: {
    meaning:
      'The turn that the question would continue is still being answered, or somebody continued the conversation at the same moment. `details.invocation` names that turn. The question was not asked.',
    remedy:
      'Wait for the end of that turn (read its events), or cancel it, and ask again. Branches from earlier turns need not wait.',
  },
  conversation_full: {
    meaning: 'The conversation has 200 turns on this path, or 2,000 in all its branches. The question was not asked.',
    remedy: 'Begin a conversation that continues it, with `POST /v1/ai/conversations/{id}/fork`.',
  },
  agent_inactive: {
    meaning: 'The agent exists but its status is not `active`. No invocation was made.',
    remedy: 'Set the status of the agent to `active`, or ask without an agent.',
  },
  memory_off: {
    meaning: 'Notes for the assistant are off in the organization, or paused by the person. Nothing was written.',
    remedy:
      'An administrator allows them with `PUT /v1/memory/settings`, each person turns theirs on with `PUT /v1/memory/own`.',
  },
  agent_schema_outdated: {
    meaning:
      'The agent was made for the schema before the cutover and could not be brought to the new one by itself. Nothing ran.',
    remedy: '`details` names what is wrong with the agent. Write the fields that are named, then ask again.',
  },
  cutover_blocked: {
    meaning:
      'The organization cannot be moved on yet: callers, automations or widgets still use forms that the next stage removes.',
    remedy: 'Move what `details` lists to the new forms, or send `force: true` to move all the same.',
  },
  no_agent_available: {
    meaning: 'The deprecated router found no active agent that the caller may see. The invocation ended as failed.',
    remedy: 'Make an agent active, name one, or ask the general assistant with `POST /v1/ai/invoke`.',
  },
  no_agent_match: {
    meaning: 'The deprecated router found no agent that fits the question. The invocation ended as failed.',
    remedy: 'Name the agent, or ask the general assistant with `POST /v1/ai/invoke`.',
  },
  endpoint_removed: {
    meaning: 'The endpoint was taken out of service; its `Sunset` date has passed. Nothing was run.',
    remedy: 'Use the replacement that the message names.',
  },
  payload_too_large: {
    meaning: 'The body is larger than the limit of the operation. It was not read to its end.',
    remedy: 'Send less at once; for entities use several bulk requests of up to 20.',
  },
  unsupported_media_type: {
    meaning: 'The body has a content type other than JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  managed_field: {
    meaning: 'The field or the entity is written by the platform alone, so that it can serve as evidence.',
    remedy: 'Leave the field out. `details` names it.',
  },
  too_many_requests: {
    meaning: 'The caller sent more requests than the limit allows within the window.',
    remedy: 'Wait the seconds of the `Retry-After` header, then repeat.',
  },
  ai_rate_limited: {
    meaning: "The organization's hourly limit of assistant requests or tokens is used up. No invocation was made.",
    remedy: 'Wait the seconds of the `Retry-After` header. `GET /v1/quota/ai-invocations` shows what is left.',
  },
  ai_budget_exceeded: {
    meaning:
      'A budget that an administrator set for the organization, a team, the person or the agent has no room for the question. No invocation was made. `scope`, `id`, `period`, `measure`, `limit` and `used` say which, `resetDate` when it begins anew.',
    remedy: 'Wait until `resetDate`, or ask an administrator of the organization to raise the budget.',
  },
  ai_quota_exceeded: {
    meaning: "The organization's monthly quota of invocations is used up. No invocation was made.",
    remedy: 'Wait for the next month, or ask the operator of the installation for a larger plan.',
  },
  internal_error: {
    meaning:
      'Something failed that should not have. The cause is in the log of the server under the request id of the answer; it is never sent out.',
    remedy: 'Repeat later. If it stays, give the request id (`X-Request-Id`) to the operator of the installation.',
  },
  LLMProviderNotFoundError: {
    meaning: 'The organization has not connected a model provider of this name. Nothing was changed.',
    remedy: 'List what is connected with `GET /v1/llm-providers`, or connect it with `POST /v1/llm-providers`.',
  },
  LLMProviderModelNotEnabledError: {
    meaning: 'The model is not known for this provider, or was switched off.',
    remedy: 'Choose one that is enabled in `effectiveModels` of the provider, or enable it there.',
  },
  LLMProviderModelTestError: {
    meaning:
      'With `validate_connection=true` every enabled model is asked a few words, and at least one did not answer. `details.testedModels` says which and why. Nothing was stored.',
    remedy: 'Correct the secret, the address or the list of enabled models, then try again.',
  },
  LLMProviderInvalidConfigError: {
    meaning:
      'The configuration does not fit the provider, names a secret that does not exist, or the operator does not let organizations connect this provider. `details` lists every problem with its path. Nothing was stored.',
    remedy: 'Correct what `details` names. Keys are stored as secrets of the organization first and named here.',
  },
  llm_provider_manage_forbidden: {
    meaning: 'Only administrators connect, change and remove model providers. Nothing was changed.',
    remedy: 'Ask an administrator of the organization.',
  },
  not_implemented: {
    meaning: 'The operation is known but this release does not have it.',
    remedy: 'See the release notes for what is planned.',
  },
  sso_provider_unavailable: {
    meaning: 'The identity provider could not be reached or its answers are not those of OpenID Connect.',
    remedy: 'Check the issuer of the connection, and that the server may reach it. Then try again.',
  },
  llm_provider_unavailable: {
    meaning:
      'The model provider could not be reached or answered with a failure of its own. The invocation ended `Failed`.',
    remedy: "Repeat later; check the provider's status and the `PORTOLAN_LLM_*` settings.",
  },
  llm_provider_refused: {
    meaning: 'The model provider refused the request: a wrong key, an unknown model, or content it does not accept.',
    remedy: 'Check the key, the model name and the prompt. Repeating the same request will not help.',
  },
  mcp_server_failed: {
    meaning:
      'An MCP server that your organization connected could not be reached, was too slow, or answered something that is no MCP. The message says which and why. What it did before it failed is not known here.',
    remedy:
      'Ask it with `POST /v1/mcp/servers/{identifier}/test`. If its address is in your own network, the operator can allow that with `PORTOLAN_ALLOW_PRIVATE_NETWORK=1`. An invocation goes on without the tool.',
  },
  approval_required: {
    meaning:
      'A tool of a connected MCP server may change something, and the invocation runs in Manual Approval. Nothing was sent to the server.',
    remedy:
      'Ask again with `executionMode: "Automatic"`, do it by hand, or have an administrator vouch that the tool only reads (`readOnly` in its review).',
  },
  service_unavailable: {
    meaning: 'The server is starting, migrating its database or stopping.',
    remedy: 'Repeat after a moment; `GET /ready` answers 200 when it is serving.',
  },
  llm_provider_timeout: {
    meaning: 'The model provider gave no answer within the time allowed. The invocation ended `Failed`.',
    remedy: 'Repeat later, ask for less, or choose a faster model.',
  },
  invocation_cancelled: {
    meaning: 'The invocation was cancelled before it ended. What its tools had already done stays done.',
    remedy: 'Ask again if the answer is still wanted.',
  },
  invocation_interrupted: {
    meaning:
      'The process that ran the invocation ended before the invocation did. It was marked `Failed`; the events until then are kept.',
    remedy: 'Ask again.',
  },
  invocation_limit_reached: {
    meaning: 'The invocation reached a limit of its own: steps, tokens or total time.',
    remedy: 'Ask a narrower question, or split it.',
  },
};
