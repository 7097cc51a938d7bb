// Unpacks the users' files: PGN, or PGN packed with gzip or Zstandard. The engine is packed with Zstandard, too.

import { WORDS } from "../words.ts";
import { Refusal } from "./refusal.ts";

const GZIP = [0x1f, 0x8b];
const ZSTANDARD = [0x28, 0xb5, 0x2f, 0xfd];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const PARQUET = [0x50, 0x41, 0x52, 0x31];

/** The most bytes that a file may have when it is unpacked. */
const MOST = 4 * 2 ** 30;

/** Returns the text of a file, unpacked if its first bytes show that it is packed. */
export async function unpacked(name: string, file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const begins = (magic: number[]) => magic.every((byte, index) => head[index] === byte);
  if (begins(ZIP)) throw new Refusal(WORDS.isZip(name));
  if (begins(PARQUET)) throw new Refusal(WORDS.isDatabase(name));
  if (begins(GZIP)) return gathered(name, file.stream().pipeThrough(new DecompressionStream("gzip")));
  if (begins(ZSTANDARD)) return gathered(name, file.stream().pipeThrough(await zstandard()));
  return file;
}

export async function zstandard(): Promise<TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>> {
  const { Decompress } = await import("fzstd");
  let decompress: InstanceType<typeof Decompress> | undefined;
  return new TransformStream({
    start(controller) {
      decompress = new Decompress((chunk) => controller.enqueue(chunk.slice()));
    },
    transform: (chunk) => decompress?.push(chunk),
    flush: () => decompress?.push(new Uint8Array(0), true),
  });
}

/** Reads a stream into a file, in parts that the browser can keep on disk. */
async function gathered(name: string, stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const parts: Blob[] = [];
  let buffered: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let waiting = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refusal(WORDS.isDamaged(name));
    });
    if (value) {
      buffered.push(value);
      waiting += value.length;
      size += value.length;
    }
    if (size > MOST) {
      await reader.cancel();
      throw new Refusal(WORDS.isTooLarge(name));
    }
    if (done || waiting > 1 << 24) {
      parts.push(new Blob(buffered));
      buffered = [];
      waiting = 0;
    }
    if (done) return new Blob(parts);
  }
}
