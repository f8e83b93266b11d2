/** Texts that parsers of hosts, URLs, addresses, XML, dates and Unicode reject, or read in an unusual way. */
export const ODD_TEXTS = [
  // Hosts.
  ...["fe80::1%eth0", "[fe80::1%25eth0]", "[::1", "::1]", "a..b", ".", "..", "-a.example", "a-.example", "*.*.example"],
  ...["xn--", "xn--a", "xn--a.example", "ａ.example", "例え.テスト", "\u00ad.example", "\u200b", "1.2.3.4.5", "0x7f.1"],
  ...["256.256.256.256", "a b.example", "%", "%00", "%zz.example", "localhost:99999", "a:b:c", "*.", "*", "@", "^"],
  `${"a".repeat(64)}.example`,
  `${"a.".repeat(126)}example`,
  // URLs.
  ...["https://", "https:", "https:/\\x", "http://[::1%25eth0]/", "https://user:p%zz@h/", "https://h:65536/", "//h/x"],
  ...[
    "javascript:alert(1)",
    "data:,x",
    "http://\u0000/",
    "https://exa mple.com",
    "https://h/%E0%A4%A",
    "https://xn--/",
  ],
  ...["file:///etc/passwd", "https://h/?q=\ud800", "https://[v1.x]/", "mailto:a@b", "https://h/#%", "blob:https://h/x"],
  ...["https://%00/", "https://h\\@i/", "https://[::ffff:1.2.3.256]/", "smtp://", "urn:x", "https://h:/", "HTTPS://H"],
  // Mail addresses.
  ...["a@", "@b", "a@b@c.example", '"a b"@example.com', "a@[127.0.0.1]", "a@[IPv6:::1]", "a@xn--.example", "a@b..c"],
  ...["a@例え.テスト", "a@example.com\r\nBcc: b@example.com", "ü@example.com", "<a@b.example>", "a@-b.example", "a@%"],
  ...["=?utf-8?q?x?=@example.com", "a,b@example.com", "a@example.com, b@example.com", "a@b.example>", "a@fe80::1%0"],
  // XML.
  ...["<a", "<a/><b>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a xmlns:b='' b:c=''/>", "<?xml version='9'?><a/>"],
  ...["&#x110000;", "&#0;", "&#xd800;", "<a b='1' b='2'/>", "<![CDATA[x]]>", "]]>", "<a:b:c/>", "<xml:a xml:b='c'/>"],
  ...["<\ud800/>", "<!---->", "<!-- -- -->", "\ufeff<a/>", "<a xmlns='\u0001'/>", "<?a?>", "</a>", "<a b=c/>", "<1/>"],
  // Dates and numbers.
  ...["2026-02-30", "+275760-09-13T00:00:00.001Z", "-000001-01-01", "1e400", "NaN", "Infinity", "9".repeat(30), "-0"],
  ...["2026-13-01T25:61:61Z", "now", "0000-00-00", "infinity", "-infinity", "epoch", "P1D", "0x10", "1_000", "\u0661"],
  // Texts in general.
  ...["\0", "\ud800", "\udc00x", "\u202e", "\ufffe", "\u2028", "İ", "ß", "ŉ", "a\u0301", "😀", "\u1e9e".repeat(200)],
  ...["%c0%80", "__proto__", "constructor", "toString", "$&", "$1", "\\x", "\\u0000", "{{x}}", "%s%n", "'\"`", "\r\n"],
  ...["[", "(", "a&b|!c:*", "<->", "root", "{}", "[]", "null", "true", "0", " ", "\t", "x".repeat(5_000), "/", "../.."],
];

/** Numbers at the limits of their formats. */
export const ODD_NUMBERS = [
  ...[-0, 0, -1, 0.5, 1e-7, 1e21, 2 ** 31, 2 ** 53, -(2 ** 53), 2 ** 63, 1e308, Number.MIN_VALUE],
  ...[8.64e15, 8.64e15 + 1, -8.64e15, 253_402_300_800_000, Number.MAX_SAFE_INTEGER],
];
