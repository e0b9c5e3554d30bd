// In place of ejs, which compiles a function for every text that oclif renders: ours have one kind of tag, such as
// `<%= config.bin %>`. test/cli/help.test.ts proves that they have no other.

/** The text with the values of its tags. */
exports.render = (text, values) =>
  text.replace(/<%=\s*([\w.]+)\s*%>/g, (_, path) =>
    String(path.split('.').reduce((value, name) => value?.[name], values) ?? ''),
  )
