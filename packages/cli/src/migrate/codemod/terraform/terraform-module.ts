import { posix } from 'node:path';
import { constantText, findAttribute, listBlocks, listNames, walkExpressions } from '../hcl/read-syntax.ts';
import type { Block, Body, Expression, Span } from '../hcl/syntax.ts';
import type { FileNote, TextEdit } from '../text-edit.ts';

export interface TerraformFile {
  readonly path: string;
  readonly source: string;
  readonly body: Body;
  readonly edits: TextEdit[];
  readonly notes: FileNote[];
}

export interface TerraformResource {
  readonly file: TerraformFile;
  readonly block: Block;
  readonly type: string;
  readonly name: string;
  /** `port` in `port_blueprint`, if the resource belongs to the provider. */
  readonly prefix: string;
  /** `blueprint` in `port_blueprint`. */
  readonly kind: string;
}

/** The files of one folder, which share a namespace. */
export interface TerraformModule {
  readonly folder: string;
  readonly files: readonly TerraformFile[];
  readonly locals: ReadonlyMap<string, { readonly file: TerraformFile; readonly value: Expression }>;
  /** The file of an expression. */
  readonly fileOf: (expression: Expression) => TerraformFile | undefined;
  /** Resource name prefixes of the provider, in this module or another. */
  readonly prefixes: ReadonlySet<string>;
  /** Resources of the provider. */
  readonly resources: readonly TerraformResource[];
}

export interface ModuleCall {
  readonly caller: TerraformModule;
  readonly file: TerraformFile;
  readonly block: Block;
}

/** Matches by suffix, since the provider may have any local name. */
const own =
  /^([\w-]+?)_(?:blueprint|system_blueprint|blueprint_permissions|action_permissions|page_permissions|aggregation_propert(?:y|ies)|scorecard)$/;

export function groupModules(files: readonly TerraformFile[]): TerraformModule[] {
  const types = files.flatMap(({ body }) => listBlocks(body, 'resource')).map(({ labels }) => labels[0]?.text ?? '');
  const prefixes = new Set(types.flatMap((type) => own.exec(type)?.[1] ?? []));
  return [...new Set(files.map(({ path }) => posix.dirname(path)))].map((folder) => {
    const members = files.filter(({ path }) => posix.dirname(path) === folder);
    const resources = members.flatMap((file) =>
      listBlocks(file.body, 'resource').flatMap((block) => listResources(file, block, prefixes)),
    );
    const places = new Map(
      members.flatMap((file) => [...walkExpressions(file.body)].map((expression) => [expression, file] as const)),
    );
    return {
      folder,
      files: members,
      locals: new Map(members.flatMap(listLocals)),
      fileOf: (expression) => places.get(expression),
      prefixes,
      resources,
    };
  });
}

function listLocals(file: TerraformFile): [string, { file: TerraformFile; value: Expression }][] {
  const entries = listBlocks(file.body, 'locals').flatMap(({ body }) => body.entries);
  return entries.flatMap((entry) =>
    entry.kind === 'attribute' ? [[entry.name.text, { file, value: entry.value }]] : [],
  );
}

function listResources(file: TerraformFile, block: Block, prefixes: ReadonlySet<string>): TerraformResource[] {
  const [type = '', name = ''] = block.labels.map(({ text }) => text);
  const prefix = [...prefixes].find((each) => type.startsWith(`${each}_`));
  return prefix === undefined ? [] : [{ file, block, type, name, prefix, kind: type.slice(prefix.length + 1) }];
}

/** The module blocks that call the module of a folder by its path. */
export function listModuleCalls(folder: string, modules: readonly TerraformModule[]): ModuleCall[] {
  return modules.flatMap((caller) =>
    caller.files.flatMap((file) =>
      listBlocks(file.body, 'module').flatMap((block) => {
        const source = findAttribute(block.body, 'source');
        const text = source === undefined ? undefined : constantText(source.value);
        const isHere = text?.startsWith('.') && posix.join(caller.folder, text).replace(/\/$/, '') === folder;
        return isHere ? [{ caller, file, block }] : [];
      }),
    ),
  );
}

/** The root folders from which a module is reached; the module itself if nothing calls it. */
export function rootFolders(
  module: TerraformModule,
  modules: readonly TerraformModule[],
  seen: readonly string[] = [],
): string[] {
  const callers = listModuleCalls(module.folder, modules).map(({ caller }) => caller);
  const next = callers.filter(({ folder }) => !seen.includes(folder) && folder !== module.folder);
  return next.length === 0
    ? [module.folder]
    : next.flatMap((each) => rootFolders(each, modules, [...seen, module.folder]));
}

/** The provider resource at the start of a reference. */
export function resourceNamed(expression: Expression, { resources }: TerraformModule): TerraformResource | undefined {
  const [type, name] = listNames(expression);
  return resources.find((each) => each.type === type?.text && each.name === name?.text);
}

/** Every expression of the module with its file. */
export function* expressionsIn({ files }: TerraformModule): Generator<readonly [TerraformFile, Expression]> {
  for (const file of files) for (const expression of walkExpressions(file.body)) yield [file, expression];
}

export function sourceText({ source }: TerraformFile, { start, end }: Span): string {
  return source.slice(start, end);
}

/** The whole lines of an entry and its comma, if nothing else is on them. */
export function wholeLines({ source }: TerraformFile, { start, end }: Span): Span {
  const from = start - /[ \t]*$/.exec(source.slice(0, start))![0].length;
  const rest = /^[ \t]*,?[ \t]*(?:\r?\n)?/.exec(source.slice(end))![0];
  const isAlone = (from === 0 || source[from - 1] === '\n') && rest.endsWith('\n');
  return { start: isAlone ? from : start, end: end + rest.length };
}
