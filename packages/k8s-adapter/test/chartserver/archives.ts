// Archives for tests: tar members in, a gzipped tar out.
import { gzipSync } from 'node:zlib'

export type Member = string | { readonly link: string }

/** A tar archive with these members, in order. */
export function tarOf(members: { readonly [name: string]: Member }): Buffer {
  const blocks: Buffer[] = []
  for (const [name, member] of Object.entries(members)) {
    const content = typeof member === 'string' ? Buffer.from(member) : Buffer.alloc(0)
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write('0000644\0', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(typeof member === 'string' ? (name.endsWith('/') ? '5' : '0') : '2', 156)
    if (typeof member !== 'string') header.write(member.link, 157, 100)
    header.write('ustar\u000000', 257, 'latin1')
    header.fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    blocks.push(header, content, Buffer.alloc((512 - (content.length % 512)) % 512))
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export function tgzOf(members: { readonly [name: string]: Member }): Buffer {
  return gzipSync(tarOf(members))
}

/** The archive of a chart as `helm package` makes it. */
export function chartArchive(
  name: string,
  version: string,
  files: { readonly [path: string]: Member } = {},
): Buffer {
  const members: { [name: string]: Member } = {
    [`${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: ${version}\n`,
  }
  for (const [path, content] of Object.entries(files)) members[`${name}/${path}`] = content
  return tgzOf(members)
}
