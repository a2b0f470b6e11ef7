import { DatabaseError } from '../../../platform/db/database-error.ts';
import { asAppError } from '../../../platform/errors.ts';

/** Terms of RFC 7644 §3.12. */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

export function invalidValue(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidValue');
}

export function noResource(kind: 'User' | 'Group', id: string): ScimError {
  return new ScimError(404, `There is no ${kind} with the id "${id.slice(0, 200)}"`);
}

/** A platform error in SCIM form; undefined for internal errors, which are only logged. */
export function asScimError(error: unknown): ScimError | undefined {
  if (error instanceof ScimError) return error;
  if (error instanceof DatabaseError && error.constraint?.endsWith('_external_id')) {
    return new ScimError(409, 'Another resource has this externalId', 'uniqueness');
  }
  const { code, status, message } = asAppError(error);
  if (status >= 500 && code !== 'service_unavailable') return undefined;
  if (code === 'identifier_taken') return new ScimError(409, message, 'uniqueness');
  if (code === 'invalid_request') return invalidValue(message);
  if (code === 'invalid_json') return new ScimError(400, message, 'invalidSyntax');
  return new ScimError(status, message);
}

export function scimErrorBody({ status, scimType, message }: ScimError) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType ? { scimType } : {}),
    detail: message,
  };
}
