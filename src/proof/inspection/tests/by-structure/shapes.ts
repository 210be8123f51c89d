import type { Grammar } from '../../syntax/code-reader.ts'

/** Which nodes of a grammar play which part. */
export interface Shape {
  functions: readonly string[]
  calls: readonly string[]
  args: readonly string[]
  /** What makes the code in it depend on something. */
  conditions: readonly string[]
  /** What a condition decides about. */
  blocks: readonly string[]
  tries: readonly string[]
  catches: readonly string[]
  returns: readonly string[]
  /** Besides returns, what ends a block: throwing. */
  throws: readonly string[]
  jumps: readonly string[]
  loops: readonly string[]
  strings: readonly string[]
  comments: readonly string[]
  assigns: readonly string[]
  lists: readonly string[]
  /** Further nodes that this language's tests are made of. */
  others: readonly string[]
}

const javascript: Shape = {
  functions: [
    'arrow_function',
    'function_expression',
    'function_declaration',
    'generator_function',
    'generator_function_declaration',
    'method_definition',
  ],
  calls: ['call_expression'],
  args: ['arguments'],
  conditions: ['if_statement', 'ternary_expression', 'switch_case'],
  blocks: ['statement_block', 'expression_statement', 'else_clause'],
  tries: ['try_statement'],
  catches: ['catch_clause'],
  returns: ['return_statement'],
  throws: ['throw_statement'],
  jumps: ['continue_statement', 'break_statement'],
  loops: ['for_statement', 'for_in_statement', 'while_statement'],
  strings: ['string', 'template_string', 'regex'],
  comments: ['comment'],
  assigns: ['variable_declarator'],
  lists: ['array'],
  others: ['await_expression', 'finally_clause'],
}

const python: Shape = {
  functions: ['function_definition', 'lambda'],
  calls: ['call'],
  args: ['argument_list'],
  conditions: ['if_statement', 'conditional_expression', 'case_clause'],
  blocks: ['block', 'elif_clause', 'else_clause'],
  tries: ['try_statement'],
  catches: ['except_clause'],
  returns: ['return_statement'],
  throws: ['raise_statement'],
  jumps: ['continue_statement', 'break_statement'],
  loops: ['for_statement', 'while_statement'],
  strings: ['string'],
  comments: ['comment'],
  assigns: ['assignment'],
  lists: ['list', 'tuple'],
  others: ['class_definition', 'decorated_definition', 'decorator', 'with_statement', 'finally_clause'],
}

const go: Shape = {
  functions: ['function_declaration', 'method_declaration', 'func_literal'],
  calls: ['call_expression'],
  args: ['argument_list'],
  conditions: ['if_statement', 'expression_case', 'type_case', 'communication_case'],
  blocks: ['block'],
  tries: [],
  catches: [],
  returns: ['return_statement'],
  throws: [],
  jumps: ['continue_statement', 'break_statement'],
  loops: ['for_statement'],
  strings: ['interpreted_string_literal', 'raw_string_literal', 'rune_literal'],
  comments: ['comment'],
  assigns: ['short_var_declaration', 'var_spec'],
  lists: ['composite_literal'],
  others: ['defer_statement', 'go_statement'],
}

const rust: Shape = {
  functions: ['function_item', 'closure_expression'],
  calls: ['call_expression', 'macro_invocation'],
  args: ['arguments', 'token_tree'],
  conditions: ['if_expression', 'match_arm'],
  blocks: ['block', 'else_clause'],
  tries: [],
  catches: [],
  returns: ['return_expression'],
  throws: [],
  jumps: ['continue_expression', 'break_expression'],
  loops: ['for_expression', 'while_expression'],
  strings: ['string_literal', 'raw_string_literal', 'char_literal'],
  comments: ['line_comment', 'block_comment'],
  assigns: ['let_declaration'],
  lists: ['array_expression'],
  others: ['attribute_item', 'mod_item'],
}

export const shapes: Record<Grammar, Shape> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python,
  go,
  rust,
}

export const kindsOf = (shape: Shape): string[] => [...Object.values(shape).flat(), 'ERROR']
