import { describe, expect, it } from 'vitest'
import { pageText } from './page.ts'

const page = (text: string | Uint8Array, type = 'text/html', charset: string | null = null) =>
  pageText({ type, charset, bytes: typeof text === 'string' ? Buffer.from(text) : text })

const long = 'What matters here is said in so many words that nobody takes it for a page without any. '.repeat(4)

describe('a page', () => {
  it('is its prose: headings, lists, tables, code as it stands', () => {
    const html = `<!DOCTYPE html><HTML><head><title>The API</title><style>p > a { color: red }</style>
      <script>if (a < b) document.write("<p>never</p>")</script></head><body>
      <nav><ul><li>Home</li><li><nav-item>About</nav-item></li></ul></nav>
      <main><h2>Prices</h2><p>${long}<b>whole</b>
      cents &amp; never &euro;&#x20;1.50 &unknown;</p><!-- no > prose -->
      <ul><li>one</li><li>two <img src=x alt="a graph"></li></ul>
      <table><tr><th>name</th><th>type</th></tr><tr><td>id</td><td>int</td></tr></table>
      <pre>GET /prices
  200 <b>OK</b></pre></main><footer>© somebody</footer></body></HTML>`
    expect(page(html)).toBe(`# The API

## Prices

${long}whole cents & never € 1.50 &unknown;

- one
- two [image: a graph]

 | name | type
 | id | int

GET /prices
  200 OK`)
  })

  it('that is only what stands around others is taken as it is', () => {
    expect(page('<nav>All there is</nav>')).toBe('All there is')
    expect(page('<nav>All that is not closed <p>and more')).toBe('All that is not closed\n\nand more')
  })

  it('has text also where its marks are wrong', () => {
    expect(page('a < b and <b')).toBe('a < b and')
    expect(page('<p>x</p')).toBe('x')
    expect(page('<script>all of it')).toBe('')
    expect(page('İ<p>İ</p><script>x</script>y')).toBe('İ\n\nİ\n\ny')
    expect(page('&#0;&#xd800;&#1114112;&constructor;')).toBe('\ufffd\ufffd\ufffd&constructor;')
  })

  it('costs no more than its length, whatever is in it', () => {
    for (const part of ['<', '<nav>', '<!--', '<p ', '</nav>', '&', '<script', '\n', ' ', '<img alt="'])
      expect(page(part.repeat(500_000 / part.length))?.length).toBeLessThanOrEqual(500_000)
  })
})

describe('what is said', () => {
  it('stays as it is where it is no page', () => {
    for (const type of ['application/json', 'application/vnd.oai.openapi+json', 'application/yaml', 'text/x-yaml'])
      expect(page('{"a": "<b>"}\n', type)).toBe('{"a": "<b>"}\n')
    expect(page('plain', '')).toBe('plain')
    expect(page('<html><p>a page', '')).toBe('a page')
  })

  it('is no text where it is a picture, or anything else', () => {
    expect(page('<svg/>', 'image/svg+xml')).toBeNull()
    expect(page('%PDF', 'application/pdf')).toBeNull()
    expect(page(new Uint8Array([0x89, 0x50, 0xff]), 'application/octet-stream')).toBeNull()
    expect(page(new Uint8Array([0x61, 0, 0x62]), 'text/plain')).toBeNull()
  })

  it('is in the letters that it says, or else in those that fit', () => {
    const latin = Buffer.from('Größe', 'latin1')
    expect(page(latin, 'text/plain', 'iso-8859-1')).toBe('Größe')
    expect(page(latin, 'text/plain', 'no-such-charset')).toBe('Größe')
    expect(page(latin, 'text/plain')).toBe('Größe')
    expect(page(Buffer.from('<meta charset=latin1>Größe', 'latin1'))).toBe('Größe')
    expect(page(Buffer.from('\ufeffGröße', 'utf16le'), 'text/plain', 'utf-8')).toBe('Größe')
    expect(page('Größe', 'text/plain', 'no-such-charset')).toBe('Größe')
    expect(page(Buffer.from('Größe').subarray(0, 3), 'text/plain')).toBe('Gr')
  })
})
