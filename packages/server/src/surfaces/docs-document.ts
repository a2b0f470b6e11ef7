/** A JSON schema, as far as the reference reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface DocumentParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface DocumentOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
}

/** An OpenAPI document of ours, as far as the reference reads it. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with the place it is served at. */
export interface PlacedOperation extends DocumentOperation {
  readonly method: string;
  readonly path: string;
}

/** The operations of a tag, in the order of the document; their schemas carry the definitions they refer to. */
export function operationsOf(document: ApiDocument, tag: string): readonly PlacedOperation[] {
  const { schemas: $defs } = document.components;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({
        ...operation,
        ...(operation.requestBody
          ? { requestBody: { content: withDefinitions(operation.requestBody.content, $defs) } }
          : {}),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, answer]) => [
            status,
            { ...answer, content: withDefinitions(answer.content, $defs) },
          ]),
        ),
        method: method.toUpperCase(),
        path,
      })),
  );
}

function withDefinitions(content: Content, $defs: Readonly<Record<string, Schema>>): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [type, { schema: { ...schema, $defs } }]),
  );
}
