import { constantText, findAttribute, keyText, listBlocks } from '../hcl/read-syntax.ts';
import type { Expression } from '../hcl/syntax.ts';
import { isSystem } from './system-blueprint.ts';
import type { TerraformFile, TerraformModule } from './terraform-module.ts';
import { raiseConstraint } from './version-constraint.ts';

const rule = 'terraform/provider-version';

/** The provider supports system blueprints since 2.2.0, and Terraform `removed` blocks since 1.7.0. */
export function raiseVersions(modules: readonly TerraformModule[]): void {
  const resources = modules.flatMap((module) => module.resources);
  const prefixes = new Set(resources.map(({ prefix }) => prefix));
  const removes = modules.some((module) => module.resources.some((each) => isSystem(each, module)));
  for (const file of modules.flatMap(({ files }) => files)) {
    for (const { body } of listBlocks(file.body, 'terraform')) {
      if (removes)
        raise(file, findAttribute(body, 'required_version')?.value, [1, 7, 0], 'Removed blocks need Terraform 1.7.');
      for (const provider of listBlocks(body, 'required_providers').flatMap(({ body: { entries } }) => entries)) {
        // a resource name starts with its provider's local name, up to the first dash of that
        const isOwn = prefixes.has(provider.name.text) || prefixes.has(provider.name.text.split('-')[0]!);
        if (!isOwn || provider.kind !== 'attribute' || provider.value.kind !== 'object') continue;
        const version = provider.value.entries.find((entry) => keyText(entry) === 'version')?.value;
        raise(file, version, [2, 2, 0], 'System blueprints and ownership need version 2.2.0 or newer of the provider.');
      }
    }
  }
}

function raise(
  file: TerraformFile,
  value: Expression | undefined,
  least: readonly [number, number, number],
  message: string,
): void {
  const text = value && constantText(value);
  if (value === undefined || text === undefined) return;
  const raised = raiseConstraint(text, least);
  const { start, end } = value;
  if (raised === null)
    file.notes.push({ start, rule, message: `${message} This constraint cannot be read.`, breaks: false });
  else if (raised !== undefined) file.edits.push({ start, end, after: JSON.stringify(raised), rule, message });
}
