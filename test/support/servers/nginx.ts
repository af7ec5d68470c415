import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

const version = spawnSync('nginx', ['-V'], { encoding: 'utf8' })

/** Whether an nginx is here that takes files by PUT. */
export const hasNginx = version.status === 0 && version.stderr.includes('http_dav_module')

interface Options {
  /** A certificate, for TLS. */
  certificate?: { key: string; cert: string }
  /** The port of the service that everything but the store is passed on to. */
  servicePort?: number
  /** The largest file that is taken, such as `1m`. */
  largest?: string
}

/** A real nginx in a folder of its own: below `/store/` it takes files by PUT (WebDAV), the rest is the service's. */
export async function startNginx(
  folder: string,
  { certificate, servicePort, largest = '0' }: Options,
): Promise<{ origin: string; store: string }> {
  const store = join(folder, 'store')
  mkdirSync(store, { recursive: true })
  const port = await freePort()
  if (certificate) {
    writeFileSync(join(folder, 'key.pem'), certificate.key)
    writeFileSync(join(folder, 'cert.pem'), certificate.cert)
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  )
  const config = `
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port}${certificate ? ' ssl' : ''};
    ${certificate ? `ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;` : ''}
    client_max_body_size ${largest};
    location /store/ { root ${folder}; dav_methods PUT; create_full_put_path on; }
    ${servicePort === undefined ? '' : `location / { proxy_pass http://127.0.0.1:${servicePort}; }`}
  }
}
`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn('nginx', ['-p', folder, '-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    await sleep(20)
  }
  return { origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`, store }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
