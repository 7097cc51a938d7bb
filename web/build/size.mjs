// How large the playground is, packed as servers send it. It may not grow beyond `MOST`, and is meant to shrink to `AIM`.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const MOST = 2_900_000;
const AIM = 2_200_000;
const folder = join(import.meta.dirname, "../dist/playground");
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const sizes = files.map(({ parentPath, name }) => ({ name, size: gzipSync(readFileSync(join(parentPath, name)), { level: 9 }).length }));
sizes.sort((a, b) => b.size - a.size);
const sum = sizes.reduce((total, { size }) => total + size, 0);
for (const { name, size } of sizes.slice(0, 6)) console.log(`${String(size).padStart(9)}  ${name}`);
console.log(`${String(sum).padStart(9)}  all of ${sizes.length} files, of ${MOST} bytes that it may have; ${AIM} are the aim`);
if (sum > MOST) process.exit(1);
