import type { InstallationCheck } from '@portolan/contract/operator';
import { formatBytes } from '../../platform/format-bytes.ts';

/** Of the disk that holds the data folder. */
export interface Disk {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

const failedBytes = 512 * 1024 ** 2;
const warningShare = 0.1;

export function judgeDisk({ freeBytes, totalBytes }: Disk): InstallationCheck {
  const name = 'disk';
  const message = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free where the data folder is`;
  if (freeBytes < failedBytes) return { name, status: 'failed', code: 'disk_full', message: `Only ${message}.` };
  if (freeBytes < warningShare * totalBytes) {
    return { name, status: 'warning', code: 'disk_full', message: `Only ${message}.` };
  }
  return { name, status: 'ok', message };
}
