import { spawnSync } from 'node:child_process';

/** Terraform is no dependency: what needs it runs where it is installed. */
export function hasTerraform(): boolean {
  return spawnSync('terraform', ['version'], { stdio: 'ignore' }).status === 0;
}
