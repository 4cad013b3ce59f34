/** Renders records in the requested format. */
import { octodnsFile } from './octodns.ts';
import type { DnsExport } from './records.ts';
import { terraformFile } from './terraform.ts';
import { zoneFile } from './zone-file.ts';

export const EXPORT_FORMATS = ['zone', 'terraform', 'octodns'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const WRITERS: Readonly<Record<ExportFormat, (records: DnsExport) => string>> = {
  zone: zoneFile,
  terraform: terraformFile,
  octodns: octodnsFile,
};

const NAMES: Readonly<Record<ExportFormat, string>> = {
  zone: 'postrider.zone',
  terraform: 'postrider.tf.json',
  octodns: 'postrider.yaml',
};

interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

export function exportedFile(format: ExportFormat, records: DnsExport): ExportedFile {
  return { name: NAMES[format], text: WRITERS[format](records) };
}
